// Transactions as their clients drive them, in both variants, against a real broker: what is added, verified, visible and
// fenced, and with which error code at which version.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Struct } from '../generic-codec.ts';
import type { RawClient } from '../raw-client.ts';
import { RealCluster } from '../real-broker.ts';
import {
  coordinated,
  endOffset,
  fetchFrom,
  TransactionalClient,
  TV1,
  TV2,
  type Variant,
} from '../transactional-client.ts';

let cluster: RealCluster;
let client: RawClient;
let made = 0;

beforeAll(async () => {
  cluster = await RealCluster.start();
  client = cluster.client();
  await coordinated(client);
});
afterAll(() => cluster.close());

/** A producer with an identity and a topic of its own. */
async function aProducer({ init }: Variant = TV1): Promise<TransactionalClient> {
  made += 1;
  const topic = `t${made}`;
  await cluster.createTopic(topic);
  const producer = new TransactionalClient(client, `tx${made}`, topic);
  expect(await producer.init(init)).toMatchObject({ errorCode: 0, producerEpoch: 0 });
  return producer;
}

const codesOf = (added: Struct): Record<string, number[]> =>
  Object.fromEntries(
    (added['resultsByTopicV3AndBelow'] as Struct[]).map(({ name, resultsByPartition }) => [
      String(name),
      (resultsByPartition as Struct[]).map(({ partitionErrorCode }) => Number(partitionErrorCode)),
    ]),
  );

describe('transaction.version 1: the client adds', () => {
  test.each([0, 1, 2, 3])('txn T-54, wire W-84, ladder 18: AddPartitionsToTxn v%i, then a commit', async (version) => {
    const producer = await aProducer();
    expect(codesOf(await producer.addPartitions(version))).toEqual({ [producer.topic]: [0] });
    expect(await producer.produce(7, 'a', 'b')).toMatchObject({ errorCode: 0, baseOffset: 0 });
    expect([await endOffset(client, producer.topic, 0), await endOffset(client, producer.topic, 1)]).toEqual([2, 0]);
    expect(await fetchFrom(client, producer.topic)).toMatchObject({ lastStableOffset: 0, records: Buffer.alloc(0) });

    expect(await producer.end(version, true)).toMatchObject({ errorCode: 0 });
    while ((await endOffset(client, producer.topic, 1)) === 0);
    // The marker has an offset of its own.
    const fetched = await fetchFrom(client, producer.topic);
    expect(fetched).toMatchObject({ highWatermark: 3, lastStableOffset: 3, abortedTransactions: [] });
    expect((fetched['records'] as Buffer).length).toBeGreaterThan(0);
    const next = await producer.addPartitions(version);
    expect(codesOf(next)).toEqual({ [producer.topic]: [0] });
    expect(producer.producerEpoch).toBe(0);
  });

  test('txn T-135, ladder 19: what was aborted is listed for read_committed, and for nobody else', async () => {
    const producer = await aProducer();
    await producer.addPartitions(3);
    await producer.produce(9, 'a');
    expect(await producer.end(3, false)).toMatchObject({ errorCode: 0 });
    while ((await endOffset(client, producer.topic, 1)) === 0);
    const { producerId } = producer;
    expect(await fetchFrom(client, producer.topic)).toMatchObject({
      abortedTransactions: [{ producerId, firstOffset: 0 }],
    });
    expect(await fetchFrom(client, producer.topic, { isolationLevel: 0 })).toMatchObject({ abortedTransactions: null });
  });

  test('txn T-55, wire W-84: an unknown partition fails all; nothing is added', async () => {
    const producer = await aProducer();
    const topics = { [producer.topic]: [0, 1], absent: [0] };
    expect(codesOf(await producer.addPartitions(3, topics))).toEqual({ [producer.topic]: [55, 3], absent: [3] });
    expect(await producer.produce(9, 'a')).toMatchObject({ errorCode: 48 });
  });

  test.each([
    [3, 48],
    [9, 48],
    [10, 48],
    [11, 120],
  ])('txn T-121, wire W-74: Produce v%i to a partition that was not added is error %i', async (version, code) => {
    const producer = await aProducer();
    expect(await producer.produce(version, 'a')).toMatchObject({ errorCode: code, baseOffset: -1 });
    expect(await endOffset(client, producer.topic, 0)).toBe(0);
  });
});

describe('transaction.version 2: the leader adds', () => {
  test('txn T-59, T-75, wire W-85, ladder 23: Produce 12 needs no add, and EndTxn 5 says which identity comes next', async () => {
    const producer = await aProducer(TV2);
    const { producerId } = producer;
    for (const [epoch, committed] of [true, false, true].entries()) {
      expect(producer).toMatchObject({ producerId, producerEpoch: epoch });
      // The transaction before may still be being completed: 51 to v12, after the leader's own patience (txn T-59).
      let produced = await producer.produce(12, 'a');
      while (produced['errorCode'] === 51) produced = await producer.produce(12, 'a');
      expect(produced).toMatchObject({ errorCode: 0, baseOffset: 2 * epoch });
      expect(await producer.end(5, committed)).toEqual({
        ...{ throttleTimeMs: 0, errorCode: 0, producerId, producerEpoch: epoch + 1 },
      });
    }
    while ((await endOffset(client, producer.topic, 1)) < 6);
    expect(await fetchFrom(client, producer.topic)).toMatchObject({
      abortedTransactions: [{ producerId, firstOffset: 2 }],
    });
  });

  test('txn T-190: the variant is that of the request; EndTxn 4 keeps the epoch and says no identity', async () => {
    const producer = await aProducer(TV2);
    await producer.addPartitions(3);
    await producer.produce(11, 'a');
    expect(await producer.end(4, true)).toEqual({ throttleTimeMs: 0, errorCode: 0 });
    expect(await producer.init(4)).toMatchObject({ errorCode: 0, producerEpoch: 1 });
  });

  test('txn T-76: EndTxn 5 without a transaction: an abort bumps the epoch, a commit is INVALID_TXN_STATE', async () => {
    const producer = await aProducer(TV2);
    expect(await producer.end(5, true)).toMatchObject({ errorCode: 48, producerId: -1, producerEpoch: -1 });
    expect(await producer.end(5, false)).toMatchObject({ errorCode: 0, producerEpoch: 1 });
  });
});

describe('whole requests', () => {
  const produceAll = async (
    transactionalId: string | null,
    batches: readonly [string, Buffer][],
  ): Promise<number[]> => {
    const topicData = batches.map(([name, records]) => ({ name, partitionData: [{ index: 0, records }] }));
    const { body } = await client.ask(0, 9, { transactionalId, acks: -1, timeoutMs: 1000, topicData });
    return (body['responses'] as Struct[]).flatMap(({ partitionResponses }) =>
      (partitionResponses as Struct[]).map(({ errorCode }) => Number(errorCode)),
    );
  };

  test('txn T-97, wire W-71: transactional batches without an id are 53, of two producers 49, everywhere', async () => {
    const [one, two] = [await aProducer(), await aProducer()];
    await one.addPartitions(3);
    await two.addPartitions(3);
    const batches: [string, Buffer][] = [
      [one.topic, one.batch('a')],
      [two.topic, two.batch('b')],
    ];
    expect(await produceAll(null, batches)).toEqual([53, 53]);
    expect(await produceAll(one.transactionalId, batches)).toEqual([49, 49]);
    expect([await endOffset(client, one.topic, 0), await endOffset(client, two.topic, 0)]).toEqual([0, 0]);
  });

  test('txn T-98, T-104, ladder 8: a batch sent again is answered as at first, and a gap is 45', async () => {
    const producer = await aProducer();
    await producer.addPartitions(3);
    const batch = producer.batch('a', 'b');
    expect(await produceAll(producer.transactionalId, [[producer.topic, batch]])).toEqual([0]);
    expect(await produceAll(producer.transactionalId, [[producer.topic, batch]])).toEqual([0]);
    expect(await endOffset(client, producer.topic, 0)).toBe(2);
    producer.sequence = 7;
    expect(await producer.produce(9, 'c')).toMatchObject({ errorCode: 45 });
  });
});
