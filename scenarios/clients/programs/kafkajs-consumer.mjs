// A consumer group of one, of kafkajs: reads a topic from its beginning until it is told to stop.
// Usage: node kafkajs-consumer.mjs TOPIC GROUP
import { Kafka, logLevel } from 'kafkajs';

const [topic, groupId] = process.argv.slice(2);
const kafka = new Kafka({
  clientId: process.env.HIGHWATER_CLIENT_ID,
  brokers: process.env.HIGHWATER_BOOTSTRAP.split(','),
  logLevel: logLevel.NOTHING,
  requestTimeout: 3000,
  retry: { initialRetryTime: 100, maxRetryTime: 500, retries: 30 },
});
const consumer = kafka.consumer({ groupId, maxWaitTimeInMs: 200 });
process.on('SIGTERM', () => void consumer.disconnect().finally(() => process.exit(0)));
await consumer.connect();
await consumer.subscribe({ topic, fromBeginning: true });
await consumer.run({ eachMessage: async ({ message }) => void console.log(`${message.offset} ${message.value}`) });
