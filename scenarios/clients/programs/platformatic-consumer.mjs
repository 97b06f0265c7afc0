// A consumer of @platformatic/kafka reads a topic with read_committed, its default, until it is given LAST. Exit codes: 0 it gets
// there; 11 it does not; 12 it does, and was given values that begin with `aborted` as well (K-04); 13 its stream ends with
// an error, which the application has to see to (K-33).
// Usage: node platformatic-consumer.mjs TOPIC GROUP LAST
import { Consumer, MessagesStreamFallbackModes, MessagesStreamModes, stringDeserializers } from '@platformatic/kafka';

const [topic, groupId, last] = process.argv.slice(2);
const consumer = new Consumer({
  clientId: process.env.HIGHWATER_CLIENT_ID,
  bootstrapBrokers: process.env.HIGHWATER_BOOTSTRAP.split(','),
  deserializers: stringDeserializers,
  groupId,
  maxWaitTime: 200,
  retries: 10,
  retryDelay: 200,
});
const stream = await consumer.consume({
  topics: [topic],
  mode: MessagesStreamModes.COMMITTED,
  fallbackMode: MessagesStreamFallbackModes.EARLIEST,
  isolationLevel: 'READ_COMMITTED',
  autocommit: false,
});
let aborted = 0;
const code = await new Promise((resolve) => {
  setTimeout(() => resolve(11), 15_000);
  stream.on('error', (error) => {
    console.log('stream:', error);
    resolve(13);
  });
  stream.on('data', ({ offset, value }) => {
    console.log(`${offset} ${value}`);
    if (value.startsWith('aborted')) aborted += 1;
    if (value === last) resolve(aborted === 0 ? 0 : 12);
  });
});
process.exit(code);
