// Exactly once with kafkajs: reads numbers from one topic and writes them to another in transactions that carry the offsets.
// Usage: node kafkajs-copy.mjs FROM TO GROUP TRANSACTIONAL_ID
import { Kafka, logLevel } from 'kafkajs';

const [from, to, groupId, transactionalId] = process.argv.slice(2);
const kafka = new Kafka({
  clientId: process.env.HIGHWATER_CLIENT_ID,
  brokers: process.env.HIGHWATER_BOOTSTRAP.split(','),
  logLevel: logLevel.ERROR,
  requestTimeout: 3000,
  retry: { initialRetryTime: 100, maxRetryTime: 500, retries: 30 },
});
const consumer = kafka.consumer({ groupId, maxWaitTimeInMs: 200, sessionTimeout: 6000 });
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
await consumer.connect();
await consumer.subscribe({ topic: from, fromBeginning: true });
process.on('SIGTERM', () => void consumer.disconnect().finally(() => process.exit(0)));

await consumer.run({
  autoCommit: false,
  eachBatchAutoResolve: false,
  eachBatch: async ({ batch, resolveOffset, heartbeat }) => {
    for (const message of batch.messages) {
      try {
        const transaction = await producer.transaction();
        await transaction.send({ topic: to, messages: [{ value: message.value, partition: 0 }] });
        const next = String(BigInt(message.offset) + 1n);
        await transaction.sendOffsets({
          consumerGroupId: groupId,
          topics: [{ topic: from, partitions: [{ partition: batch.partition, offset: next }] }],
        });
        await transaction.commit();
      } catch (error) {
        // Nobody can go on with a producer of kafkajs whose commit has failed: a new one, and what is committed decides.
        console.log(`${message.value}: ${error.name} ${error.message}`);
        await producer.disconnect().catch(() => undefined);
        producer = await open();
        throw error;
      }
      resolveOffset(message.offset);
      await heartbeat();
    }
  },
});
