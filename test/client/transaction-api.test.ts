// The promise API of transactions: steps that resolve, errors that say what can be done about them, calls that do not fit.
import { expect, test } from 'vitest';
import { HighwaterClient } from '../../src/client/client.ts';
import { HighwaterError, IllegalStateError, SendError, TransactionError } from '../../src/client/errors.ts';
import type { Producer } from '../../src/client/producer.ts';
import { ScriptedCluster, TOPIC } from './support/scripted.ts';
import { refuse } from './support/transactional.ts';

function aProducer() {
  const cluster = new ScriptedCluster();
  const client = new HighwaterClient(cluster.client({ 'enable.idempotence': true }), () => undefined);
  const producer: Producer = client.producer({ 'transactional.id': 't', 'linger.ms': 0 });
  /** Starts a step, lets the world turn, and waits for it. */
  const over = async <Value>(promise: Promise<Value>): Promise<Value> => {
    promise.catch(() => undefined);
    cluster.world.run({ maxMs: 5000 });
    return promise;
  };
  const failureOf = async (promise: Promise<unknown>): Promise<unknown> =>
    over(promise).then(
      () => undefined,
      (error: unknown) => error,
    );
  return { cluster, client, producer, over, failureOf };
}

test('a transaction from its beginning to its end', async () => {
  const { cluster, producer, over } = aProducer();
  await over(producer.initTransactions());
  producer.beginTransaction();
  expect(await over(producer.send({ topic: TOPIC, value: 'a' }))).toMatchObject({ offset: 0 });
  await over(producer.sendOffsetsToTransaction([{ topic: 'in', partition: 0, offset: 1 }], { groupId: 'g' }));
  await over(producer.commitTransaction());
  producer.beginTransaction();
  await over(producer.abortTransaction());
  expect(cluster.requests('EndTxn').map(({ request }) => request.committed)).toEqual([true]);
});

test('an abortable error says so, and an abort mends it', async () => {
  const { cluster, producer, over, failureOf } = aProducer();
  await over(producer.initTransactions());
  producer.beginTransaction();
  cluster.next('Produce', refuse('INVALID_PRODUCER_EPOCH'));
  expect(await failureOf(producer.send({ topic: TOPIC, value: 'a' }))).toBeInstanceOf(SendError);
  const failed = (await failureOf(producer.commitTransaction())) as TransactionError;
  expect(failed).toBeInstanceOf(HighwaterError);
  expect(failed).toMatchObject({ name: 'TransactionError', code: 'INVALID_PRODUCER_EPOCH', definite: true });
  expect([failed.retriable, failed.abortable, failed.fatal]).toEqual([false, true, false]);
  expect(() => producer.beginTransaction()).toThrow(TransactionError);
  await over(producer.abortTransaction());
  producer.beginTransaction();
});

test('a fenced producer can do nothing more', async () => {
  const { cluster, producer, over, failureOf } = aProducer();
  await over(producer.initTransactions());
  producer.beginTransaction();
  await over(producer.send({ topic: TOPIC, value: 'a' }));
  cluster.next('EndTxn', refuse('PRODUCER_FENCED'));
  const failed = (await failureOf(producer.commitTransaction())) as TransactionError;
  expect([failed.code, failed.retriable, failed.abortable, failed.fatal]).toEqual([
    'PRODUCER_FENCED',
    false,
    false,
    true,
  ]);
  expect(await failureOf(producer.abortTransaction())).toMatchObject({ code: 'PRODUCER_FENCED', errorClass: 'fatal' });
});

test('calls that do not fit reject or throw, and do nothing', async () => {
  const { cluster, client, producer, failureOf } = aProducer();
  expect(() => producer.beginTransaction()).toThrow(IllegalStateError);
  expect(await failureOf(producer.commitTransaction())).toBeInstanceOf(IllegalStateError);
  expect(await failureOf(producer.send({ topic: TOPIC, value: 'a' }))).toBeInstanceOf(IllegalStateError);
  expect(await failureOf(client.producer().initTransactions())).toBeInstanceOf(IllegalStateError);
  expect(cluster.requests('InitProducerId')).toEqual([]);
});

test('a closed client answers steps that wait', async () => {
  const { cluster, client, producer, over } = aProducer();
  cluster.next('InitProducerId', { kind: 'silence' });
  const waits = producer.initTransactions().catch((error: unknown) => error);
  cluster.world.run({ maxMs: 100 });
  await over(client.close(0));
  expect(await waits).toMatchObject({ code: 'OPERATION_NOT_ATTEMPTED', definite: false });
  await expect(producer.commitTransaction()).rejects.toMatchObject({ code: 'OPERATION_NOT_ATTEMPTED' });
});
