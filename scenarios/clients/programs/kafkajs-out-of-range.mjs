// A group of kafkajs has committed an offset below which, and above which, records are deleted; then it reads on. Exit codes: 0 it
// is given the first record that is left, and the rest in order; 11 it does not get there (K-33); 12 it goes on elsewhere.
// With `prepare` it writes, commits and deletes, and leaves the reading to another.
// Usage: node kafkajs-out-of-range.mjs TOPIC GROUP prepare|read
import { Kafka, logLevel } from 'kafkajs';

const [topic, groupId, what] = process.argv.slice(2);
const kafka = new Kafka({
  clientId: process.env.HIGHWATER_CLIENT_ID,
  brokers: process.env.HIGHWATER_BOOTSTRAP.split(','),
  logLevel: logLevel.NOTHING,
  retry: { initialRetryTime: 100, maxRetryTime: 500, retries: 10 },
});
if (what === 'prepare') {
  const producer = kafka.producer();
  await producer.connect();
  for (let value = 0; value < 10; value++) {
    await producer.send({ topic, acks: -1, messages: [{ value: String(value), partition: 0 }] });
  }
  await producer.disconnect();
  const admin = kafka.admin();
  await admin.connect();
  const partitions = [{ partition: 0, offset: '2' }];
  await Promise.all(groupId.split(',').map((group) => admin.setOffsets({ groupId: group, topic, partitions })));
  await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: '5' }] });
  await admin.disconnect();
  process.exit(0);
}
const consumer = kafka.consumer({ groupId, maxWaitTimeInMs: 200 });
await consumer.connect();
await consumer.subscribe({ topic, fromBeginning: true });
const seen = [];
const code = await new Promise((resolve) => {
  setTimeout(() => resolve(11), 15_000);
  void consumer.run({
    eachMessage: async ({ message }) => {
      seen.push(String(message.value));
      if (seen.at(-1) === '9') resolve(seen.join() === '5,6,7,8,9' ? 0 : 12);
    },
  });
});
console.log(`given ${seen.join()}`);
await consumer.disconnect();
process.exit(code);
