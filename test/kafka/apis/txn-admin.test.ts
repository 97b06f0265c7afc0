// What administrators see and do: transactions listed and described, producers of a partition, and the end of one that
// hangs (wire W-86, W-87, txn T-176 to T-179). Against a real broker.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Struct } from '../generic-codec.ts';
import type { RawClient } from '../raw-client.ts';
import { RealCluster } from '../real-broker.ts';
import {
  coordinated,
  DESCRIBE_PRODUCERS,
  DESCRIBE_TRANSACTIONS,
  endOffset,
  LIST_TRANSACTIONS,
  TransactionalClient,
  WRITE_TXN_MARKERS,
} from '../transactional-client.ts';
import { first } from './served-topic.ts';

let cluster: RealCluster;
let client: RawClient;
let made = 0;

beforeAll(async () => {
  cluster = await RealCluster.start();
  client = cluster.client();
  await coordinated(client);
});
afterAll(() => cluster.close());

/** A producer in the middle of a transaction that has one record. */
async function anOpenTransaction(): Promise<TransactionalClient> {
  made += 1;
  await cluster.createTopic(`t${made}`);
  const producer = new TransactionalClient(client, `tx${made}`, `t${made}`);
  await producer.init(4, undefined, 30_000);
  await producer.addPartitions(3);
  expect(await producer.produce(9, 'a', 'b')).toMatchObject({ errorCode: 0 });
  return producer;
}

const ask = async (key: number, version: number, body: Struct): Promise<Struct> =>
  (await client.ask(key, version, body)).body;

async function producersOf(topic: string, partition = 0): Promise<Struct> {
  const body = await ask(DESCRIBE_PRODUCERS, 0, { topics: [{ name: topic, partitionIndexes: [partition] }] });
  return first(first(body['topics'])['partitions']);
}

describe('WriteTxnMarkers', () => {
  const marker = ({ producerId, producerEpoch, topic }: TransactionalClient, more: Struct = {}): Struct => ({
    ...{ producerId, producerEpoch, transactionResult: false, coordinatorEpoch: 0 },
    ...{ topics: [{ name: topic, partitionIndexes: [0] }], ...more },
  });
  const codes = async (...markers: Struct[]): Promise<number[][]> => {
    const body = await ask(WRITE_TXN_MARKERS, 1, { markers });
    return (body['markers'] as Struct[]).map(({ topics }) =>
      (topics as Struct[]).flatMap(({ partitions }) =>
        (partitions as Struct[]).map(({ errorCode }) => Number(errorCode)),
      ),
    );
  };

  test('txn T-179, ladder 24: a transaction that hangs is found by its offset and ended by hand; the LSO moves', async () => {
    const producer = await anOpenTransaction();
    const { producerId } = producer;
    const found = first((await producersOf(producer.topic))['activeProducers']);
    expect(found).toMatchObject({ producerId, currentTxnStartOffset: 0, coordinatorEpoch: -1, lastSequence: 1 });
    expect(await endOffset(client, producer.topic, 1)).toBe(0);
    expect(await codes(marker(producer))).toEqual([[0]]);
    expect(await endOffset(client, producer.topic, 1)).toBe(3);
    expect(first((await producersOf(producer.topic))['activeProducers'])).toMatchObject({
      ...{ producerId, currentTxnStartOffset: -1, coordinatorEpoch: 0 },
    });
  });

  test('wire W-86: an older epoch is 47, an older coordinator 52, no partition 3; one answer for each, in order', async () => {
    const producer = await anOpenTransaction();
    expect(await codes(marker(producer, { coordinatorEpoch: 5 }))).toEqual([[0]]);
    const topics = [
      { name: producer.topic, partitionIndexes: [0, 7] },
      { name: 'absent', partitionIndexes: [0] },
    ];
    expect(
      await codes(
        marker(producer, { coordinatorEpoch: 4, topics }),
        marker(producer, { coordinatorEpoch: 5, producerEpoch: 3 }),
        marker(producer, { coordinatorEpoch: 5, producerEpoch: 2 }),
        marker(producer, { producerId: -1 }),
      ),
    ).toEqual([[52, 3, 3], [0], [47], [42]]);
  });
});

describe('DescribeProducers', () => {
  test('wire W-87: unknown topics and partitions are 3', async () => {
    const { topic } = await anOpenTransaction();
    expect(await producersOf('absent')).toEqual({
      ...{ partitionIndex: 0, errorCode: 3, errorMessage: null, activeProducers: [] },
    });
    expect(await producersOf(topic, 9)).toMatchObject({ partitionIndex: 9, errorCode: 3 });
  });
});

describe('DescribeTransactions and ListTransactions', () => {
  const described = async (...transactionalIds: string[]): Promise<Struct[]> =>
    (await ask(DESCRIBE_TRANSACTIONS, 0, { transactionalIds }))['transactionStates'] as Struct[];
  const listed = async (version: number, more: Struct): Promise<Struct> =>
    ask(LIST_TRANSACTIONS, version, { stateFilters: [], producerIdFilters: [], durationFilter: -1, ...more });

  test('txn T-177: what is open is described; an unknown id is 105, an empty one 42', async () => {
    const { transactionalId, producerId, topic } = await anOpenTransaction();
    const [open, unknown, empty] = await described(transactionalId, 'nobody', '');
    expect(open).toMatchObject({
      ...{ errorCode: 0, transactionalId, transactionState: 'Ongoing', transactionTimeoutMs: 30_000 },
      ...{ producerId, producerEpoch: 0, topics: [{ topic, partitions: [0] }] },
    });
    expect(Number(open!['transactionStartTimeMs'])).toBeGreaterThan(0);
    expect(unknown).toMatchObject({ errorCode: 105, transactionalId: 'nobody', topics: [] });
    expect(empty).toMatchObject({ errorCode: 42 });
  });

  test('txn T-176: filters are conjunctive; names of states that nobody knows are told apart', async () => {
    const { transactionalId, producerId } = await anOpenTransaction();
    const it = { transactionalId, producerId, transactionState: 'Ongoing' };
    const filters = { producerIdFilters: [producerId] };
    expect(await listed(0, filters)).toEqual({
      ...{ throttleTimeMs: 0, errorCode: 0, unknownStateFilters: [], transactionStates: [it] },
    });
    const states = ['Ongoing', 'Dead', 'Ended', 'Ended'];
    expect(await listed(1, { ...filters, stateFilters: states })).toMatchObject({
      ...{ unknownStateFilters: ['Ended'], transactionStates: [it] },
    });
    expect(await listed(1, { ...filters, stateFilters: ['Dead', 'PrepareEpochFence'] })).toMatchObject({
      ...{ unknownStateFilters: [], transactionStates: [] },
    });
    expect(await listed(1, { ...filters, durationFilter: 3_600_000 })).toMatchObject({ transactionStates: [] });
    expect((await listed(1, {}))['transactionStates']).toContainEqual(it);
  });
});
