// One transaction of kafkajs, and what its application can do when the commit fails. Exit codes: 0 it is committed or can be
// aborted and gone on with; 10 neither: every way on is closed (K-08).
// Usage: node kafkajs-commit-once.mjs TOPIC TRANSACTIONAL_ID
import { Kafka, logLevel } from 'kafkajs';

const [topic, transactionalId] = process.argv.slice(2);
const kafka = new Kafka({
  clientId: process.env.HIGHWATER_CLIENT_ID,
  brokers: process.env.HIGHWATER_BOOTSTRAP.split(','),
  logLevel: logLevel.NOTHING,
  retry: { initialRetryTime: 100, maxRetryTime: 500, retries: 10 },
});
const producer = kafka.producer({
  transactionalId,
  idempotent: true,
  maxInFlightRequests: 1,
  transactionTimeout: 2000,
});
await producer.connect();
const transaction = await producer.transaction();
await transaction.send({ topic, messages: [{ value: 'k08', partition: 0 }] });
const outcome = async (name, act) => {
  try {
    await act();
    console.log(`${name}: ok`);
    return true;
  } catch (error) {
    console.log(`${name}: ${error.name} ${error.message}`);
    return false;
  }
};
let goesOn = await outcome('commit', () => transaction.commit());
if (!goesOn) goesOn = await outcome('commit again', () => transaction.commit());
if (!goesOn) goesOn = await outcome('abort', () => transaction.abort());
if (!goesOn) goesOn = await outcome('begin', () => producer.transaction());
await producer.disconnect();
process.exit(goesOn ? 0 : 10);
