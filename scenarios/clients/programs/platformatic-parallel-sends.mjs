// One transaction of @platformatic/kafka whose application sends to two partitions at once. Exit codes: 0 both records are in the
// transaction and it is committed; 10 a send was refused, although nothing stood in its way (K-01). With `in-turn` the
// application sends to one after the other.
// Usage: node platformatic-parallel-sends.mjs TOPIC TRANSACTIONAL_ID at-once|in-turn
import { Producer, stringSerializers } from '@platformatic/kafka';

const [topic, transactionalId, how] = process.argv.slice(2);
const producer = new Producer({
  clientId: process.env.HIGHWATER_CLIENT_ID,
  bootstrapBrokers: process.env.HIGHWATER_BOOTSTRAP.split(','),
  serializers: stringSerializers,
  idempotent: true,
  transactionalId,
  retries: 5,
  retryDelay: 200,
});
const transaction = await producer.beginTransaction();
const send = (partition) =>
  transaction.send({ messages: [{ topic, partition, value: `${transactionalId}-${partition}` }], acks: -1 }).then(
    () => true,
    (error) => {
      console.log(`send to ${partition}:`, error);
      return false;
    },
  );
const sent = how === 'in-turn' ? [await send(0), await send(1)] : await Promise.all([send(0), send(1)]);
let code = sent.every(Boolean) ? 0 : 10;
const end = code === 0 ? transaction.commit() : transaction.abort();
await end.catch((error) => {
  console.log('end:', error);
  code = 10;
});
await producer.close().catch(() => undefined);
process.exit(code);
