// A producer of kafkajs: sends numbers to partition 0 of a topic, one a request, with waits in between.
// Usage: node kafkajs-producer.mjs TOPIC all:0..4 wait:2500 1:5..7
import { Kafka, logLevel } from 'kafkajs';

const [topic, ...steps] = process.argv.slice(2);
const kafka = new Kafka({
  clientId: process.env.HIGHWATER_CLIENT_ID,
  brokers: process.env.HIGHWATER_BOOTSTRAP.split(','),
  logLevel: logLevel.NOTHING,
  requestTimeout: 3000,
  retry: { initialRetryTime: 100, maxRetryTime: 500, retries: 30 },
});
const producer = kafka.producer();
await producer.connect();
for (const step of steps) {
  const [how, what] = step.split(':');
  if (how === 'wait') {
    await new Promise((resolve) => setTimeout(resolve, Number(what)));
    continue;
  }
  const [first, last] = what.split('..').map(Number);
  for (let value = first; value <= last; value++) {
    const messages = [{ value: String(value), partition: 0 }];
    await producer.send({ topic, acks: how === 'all' ? -1 : Number(how), messages });
  }
}
await producer.disconnect();
