// A kafkajs member of a group in a process of its own, so that it can be killed. Prints a JSON line for each assignment and
// each message. usage: member.mjs BOOTSTRAP GROUP TOPIC SESSION_MS
import { Kafka, logLevel } from 'kafkajs';

const [bootstrap, groupId, topic, session] = process.argv.slice(2);
const say = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
const kafka = new Kafka({ clientId: 'member', brokers: bootstrap.split(','), logLevel: logLevel.NOTHING });
// It says that it lives between two fetches only, so none may last as long as a session.
const [sessionTimeout, heartbeatInterval] = [Number(session), Number(session) / 5];
const consumer = kafka.consumer({ groupId, sessionTimeout, heartbeatInterval, maxWaitTimeInMs: heartbeatInterval });
consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => say({ assigned: payload.memberAssignment[topic] ?? [] }));
await consumer.connect();
await consumer.subscribe({ topics: [topic], fromBeginning: true });
await consumer.run({
  autoCommitThreshold: 1,
  eachMessage: ({ partition, message }) => {
    say({ partition, offset: Number(message.offset), value: String(message.value) });
    return Promise.resolve();
  },
});
process.stdin.resume().on('end', () => {
  void consumer.disconnect().then(() => process.exit(0));
});
