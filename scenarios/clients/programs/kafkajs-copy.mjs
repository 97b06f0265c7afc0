// Exactly once with kafkajs: reads numbers from one topic and writes them to another in transactions that carry the offsets. Whatever
// fails ends the process, and another one is started in its place: what is committed says where it goes on.
// Usage: node kafkajs-copy.mjs FROM TO GROUP TRANSACTIONAL_ID
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Kafka, logLevel } from 'kafkajs';

const args = process.argv.slice(2);
if (process.send === undefined) superviseCopies();
else await copyForEver(...args);

/** Keeps one copying process alive until it is told to end. */
function superviseCopies() {
  let child;
  const start = () => {
    child = fork(fileURLToPath(import.meta.url), args);
    child.once('exit', start);
  };
  start();
  process.on('SIGTERM', () => {
    child.off('exit', start);
    child.once('exit', () => process.exit(0));
    child.kill('SIGTERM');
  });
}

async function copyForEver(from, to, groupId, transactionalId) {
  process.once('disconnect', () => process.exit(0)); // Nobody starts it again.
  const kafka = new Kafka({
    clientId: process.env.HIGHWATER_CLIENT_ID,
    brokers: process.env.HIGHWATER_BOOTSTRAP.split(','),
    logLevel: logLevel.ERROR,
    requestTimeout: 3000,
    retry: { initialRetryTime: 100, maxRetryTime: 500, retries: 30, restartOnFailure: async () => false },
  });
  // Its identity is given when the transaction of the one before is over, whichever way: only then is it known where to go on.
  const producer = kafka.producer({
    ...{ transactionalId, idempotent: true, maxInFlightRequests: 1 },
    transactionTimeout: 5000,
  });
  await producer.connect();
  const consumer = kafka.consumer({ groupId, maxWaitTimeInMs: 200, sessionTimeout: 4000, heartbeatInterval: 500 });
  consumer.on(consumer.events.CRASH, () => process.exit(1));
  await consumer.connect();
  await consumer.subscribe({ topic: from, fromBeginning: true });
  process.once('SIGTERM', () => void consumer.disconnect().finally(() => process.exit(0)));

  /** What this process has committed for each partition. */
  const next = new Map();
  const copy = async (partition, message) => {
    const offset = BigInt(message.offset) + 1n;
    const transaction = await producer.transaction();
    await transaction.send({ topic: to, messages: [{ value: message.value, partition: 0 }] });
    const topics = [{ topic: from, partitions: [{ partition, offset: String(offset) }] }];
    await transaction.sendOffsets({ consumerGroupId: groupId, topics });
    await transaction.commit();
    next.set(partition, offset);
  };
  const copyBatch = async ({ batch, resolveOffset, heartbeat, isRunning, isStale }) => {
    for (const message of batch.messages) {
      if (!isRunning() || isStale()) return;
      // It asks for offsets without require_stable: a batch may begin before what was just being committed.
      if (BigInt(message.offset) < (next.get(batch.partition) ?? 0n)) continue;
      await copy(batch.partition, message).catch((error) => {
        console.log(`${message.value}: ${error.name} ${error.message}`);
        process.exit(1);
      });
      resolveOffset(message.offset);
      await heartbeat();
    }
  };
  // When its group rebalances, kafkajs hands out a batch while the one before it is still worked on: one at a time.
  let turn = Promise.resolve();
  const inTurn = (work) => (turn = turn.then(work, work));
  await consumer.run({
    autoCommit: false,
    eachBatchAutoResolve: false,
    eachBatch: (given) => inTurn(() => copyBatch(given)),
  });
}
