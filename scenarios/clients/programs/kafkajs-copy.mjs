// Exactly once with kafkajs: reads numbers from one topic and writes them to another in transactions that carry the offsets.
// Usage: node kafkajs-copy.mjs FROM TO GROUP TRANSACTIONAL_ID
import { Kafka, logLevel } from 'kafkajs';

const [from, to, groupId, transactionalId] = process.argv.slice(2);
const kafka = new Kafka({
  clientId: process.env.HIGHWATER_CLIENT_ID,
  brokers: process.env.HIGHWATER_BOOTSTRAP.split(','),
  logLevel: logLevel.ERROR,
  requestTimeout: 3000,
  retry: { initialRetryTime: 100, maxRetryTime: 500, retries: 30, restartOnFailure: async () => true },
});
const consumer = kafka.consumer({ groupId, maxWaitTimeInMs: 200, sessionTimeout: 6000 });
const admin = kafka.admin();
const open = async () => {
  const producer = kafka.producer({
    transactionalId,
    idempotent: true,
    maxInFlightRequests: 1,
    transactionTimeout: 5000,
  });
  await producer.connect();
  return producer;
};
let producer = await open();

/** What is committed for each partition at least, as this process knows. */
const next = new Map();
/** A transaction ended nobody knows how: nothing is copied before that is known. */
let astray = false;

/** Copies one record and commits its offset, both or neither. */
const copy = async (partition, message) => {
  const transaction = await producer.transaction();
  await transaction.send({ topic: to, messages: [{ value: message.value, partition: 0 }] });
  const offset = String(BigInt(message.offset) + 1n);
  const topics = [{ topic: from, partitions: [{ partition, offset }] }];
  await transaction.sendOffsets({ consumerGroupId: groupId, topics });
  await transaction.commit();
  next.set(partition, BigInt(offset));
};

/**
 * Nobody can go on with a producer of kafkajs whose commit has failed. A new one is given its identity when the transaction before
 * is over, whichever way; what is committed then says where to go on. If this fails it is tried again before anything is copied.
 */
const startOver = async (partition) => {
  astray = true;
  await producer.disconnect().catch(() => undefined);
  producer = await open();
  const [known] = await admin.fetchOffsets({ groupId, topics: [from] });
  const { offset } = known.partitions.find((each) => each.partition === partition);
  consumer.seek({ topic: from, partition, offset: offset === '-1' ? '0' : offset });
  astray = false;
};

const copyBatch = async ({ batch, resolveOffset, heartbeat, isRunning, isStale }) => {
  const { partition } = batch;
  if (astray) return startOver(partition);
  for (const message of batch.messages) {
    if (!isRunning() || isStale()) return;
    if (BigInt(message.offset) < (next.get(partition) ?? 0n)) continue;
    try {
      await copy(partition, message);
    } catch (error) {
      console.log(`${message.value}: ${error.name} ${error.message}`);
      return startOver(partition);
    }
    resolveOffset(message.offset);
    await heartbeat();
  }
};

// When its group rebalances, kafkajs hands out a batch while the one before it is still worked on: one at a time.
let turn = Promise.resolve();
const inTurn = (work) => (turn = turn.then(work, work));

await consumer.connect();
await admin.connect();
await consumer.subscribe({ topic: from, fromBeginning: true });
process.on('SIGTERM', () => void consumer.disconnect().finally(() => process.exit(0)));
await consumer.run({
  autoCommit: false,
  eachBatchAutoResolve: false,
  eachBatch: (given) => inTurn(() => copyBatch(given)),
});
