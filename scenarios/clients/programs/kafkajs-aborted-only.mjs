// A consumer of kafkajs meets nothing but aborted data and markers, then one committed record. Exit codes: 0 it gets there;
// 11 it fetches the same offset for ever (K-30); 12 it is given aborted data (K-04).
// Usage: node kafkajs-aborted-only.mjs TOPIC TRANSACTIONAL_ID
import { Kafka, logLevel } from 'kafkajs';

const [topic, transactionalId] = process.argv.slice(2);
const kafka = new Kafka({
  clientId: process.env.HIGHWATER_CLIENT_ID,
  brokers: process.env.HIGHWATER_BOOTSTRAP.split(','),
  logLevel: logLevel.NOTHING,
  retry: { initialRetryTime: 100, maxRetryTime: 500, retries: 10 },
});
const producer = kafka.producer({ transactionalId, idempotent: true, maxInFlightRequests: 1 });
await producer.connect();
for (let round = 0; round < 5; round++) {
  const aborted = await producer.transaction();
  await aborted.send({ topic, messages: [{ value: `aborted-${round}`, partition: 0 }] });
  await aborted.abort();
}
const last = await producer.transaction();
await last.send({ topic, messages: [{ value: 'committed', partition: 0 }] });
await last.commit();
await producer.disconnect();

const consumer = kafka.consumer({ groupId: 'k30', maxWaitTimeInMs: 200, maxBytesPerPartition: 100 });
await consumer.connect();
await consumer.subscribe({ topic, fromBeginning: true });
const code = await new Promise((resolve) => {
  setTimeout(() => resolve(11), 15_000);
  void consumer.run({
    eachMessage: async ({ message }) => resolve(String(message.value) === 'committed' ? 0 : 12),
  });
});
await consumer.disconnect();
process.exit(code);
