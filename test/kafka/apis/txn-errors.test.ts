// Who is fenced, and how each version is told: PRODUCER_FENCED (90) or INVALID_PRODUCER_EPOCH (47), TRANSACTION_ABORTABLE (120)
// or INVALID_TXN_STATE (48), and what else producers are refused with. Against a real broker.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TRANSACTIONAL } from '../../../src/log/attributes.ts';
import { encodeBatch } from '../../../src/log/encode-batch.ts';
import { INIT_PRODUCER_ID, PRODUCE } from '../bodies.ts';
import type { Struct } from '../generic-codec.ts';
import type { RawClient } from '../raw-client.ts';
import { RealCluster } from '../real-broker.ts';
import { coordinated, NOBODY, TransactionalClient, type Identity } from '../transactional-client.ts';
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

async function aProducer(): Promise<TransactionalClient> {
  made += 1;
  await cluster.createTopic(`t${made}`);
  const producer = new TransactionalClient(client, `tx${made}`, `t${made}`);
  await producer.init(4);
  return producer;
}

/** A producer whose id another instance has taken over. */
async function aZombie(): Promise<TransactionalClient> {
  const zombie = await aProducer();
  await zombie.addPartitions(3);
  await zombie.produce(9, 'a');
  await new TransactionalClient(client, zombie.transactionalId, zombie.topic).init(4);
  return zombie;
}

const partitionCode = (added: Struct): unknown =>
  first(first(added['resultsByTopicV3AndBelow'])['resultsByPartition'])['partitionErrorCode'];

const init = async (version: number, more: Struct): Promise<Struct> => {
  const body = { transactionalId: null, transactionTimeoutMs: 60_000, ...NOBODY, ...more };
  return (await client.ask(INIT_PRODUCER_ID, version, body as Struct)).body;
};

describe('wire W-83, txn T-51, ladder 19: who was fenced is told so', () => {
  test('AddPartitionsToTxn, AddOffsetsToTxn and EndTxn: 47 to versions 0 and 1, 90 from 2 on', async () => {
    const zombie = await aZombie();
    for (const [version, code] of [
      [0, 47],
      [1, 47],
      [2, 90],
      [3, 90],
    ] as const) {
      expect(partitionCode(await zombie.addPartitions(version))).toBe(code);
      expect(await zombie.addOffsets(version)).toBe(code);
      expect(await zombie.end(version, true)).toMatchObject({ errorCode: code });
    }
    expect(await zombie.addOffsets(4)).toBe(90);
    expect(await zombie.end(4, true)).toMatchObject({ errorCode: 90 });
    expect(await zombie.end(5, true)).toMatchObject({ errorCode: 90, producerId: -1, producerEpoch: -1 });
  });

  test('InitProducerId with the identity that it had: 47 to version 3, 90 from 4 on', async () => {
    const { transactionalId, producerId, producerEpoch } = await aZombie();
    for (const [version, code] of [
      [3, 47],
      [4, 90],
      [5, 90],
    ] as const) {
      expect(await init(version, { transactionalId, producerId, producerEpoch })).toMatchObject({ errorCode: code });
    }
  });

  test('txn T-100: Produce is 47 at every version, also where the leader asks (T-121)', async () => {
    const zombie = await aZombie();
    for (const version of [3, 9, 11, 12]) {
      expect(await zombie.produce(version, 'b')).toMatchObject({ errorCode: 47 });
    }
    await cluster.createTopic(`${zombie.topic}-other`);
    const elsewhere = new TransactionalClient(client, zombie.transactionalId, `${zombie.topic}-other`);
    Object.assign(elsewhere, { producerId: zombie.producerId, producerEpoch: zombie.producerEpoch });
    for (const version of [3, 9, 11, 12]) {
      expect(await elsewhere.produce(version, 'b')).toMatchObject({ errorCode: 47 });
    }
  });

  test('wire G-43: TxnOffsetCommit is 47 at every version', async () => {
    const zombie = await aZombie();
    for (const version of [0, 1, 2, 3, 4, 5]) expect(await zombie.commitOffsets(version)).toEqual([47]);
  });
});

describe('InitProducerId', () => {
  test('wire W-54: who says that it is producer 0 at epoch 0 gets a new id once; a second run of the id is fenced', async () => {
    const platformatic = {
      transactionalId: 'platformatic',
      transactionTimeoutMs: 5000,
      producerId: 0,
      producerEpoch: 0,
    };
    const answer = await init(4, platformatic);
    expect(answer).toMatchObject({ errorCode: 0, producerEpoch: 0 });
    expect(Number(answer['producerId'])).toBeGreaterThan(0);
    expect(await init(4, platformatic)).toMatchObject({ errorCode: 90, producerId: -1, producerEpoch: -1 });
    expect(await init(3, platformatic)).toMatchObject({ errorCode: 47 });
  });

  test.each<[string, Struct, number]>([
    ['half an identity', { producerId: 5 }, 42],
    ['the other half', { producerEpoch: 5 }, 42],
    ['an empty transactional id', { transactionalId: '' }, 42],
    ['a timeout above transaction.max.timeout.ms', { transactionalId: 'x', transactionTimeoutMs: 900_001 }, 50],
    ['no timeout', { transactionalId: 'x', transactionTimeoutMs: 0 }, 50],
  ])('wire W-83, txn T-41: %s is refused', async (_what, more, code) => {
    expect(await init(4, more)).toEqual({ throttleTimeMs: 0, errorCode: code, producerId: -1, producerEpoch: -1 });
  });

  test('txn T-44: who says what it had goes on under the next epoch, and may ask again', async () => {
    const producer = await aProducer();
    const had: Identity = { producerId: producer.producerId, producerEpoch: 0 };
    expect(await producer.init(4, had)).toMatchObject({ errorCode: 0, producerEpoch: 1 });
    expect(await producer.init(4, had)).toMatchObject({ errorCode: 0, producerEpoch: 1 });
  });
});

describe('unknown', () => {
  test('txn T-56, T-72: an id that nobody has is 49, an empty one 42, another producer id 49', async () => {
    const producer = await aProducer();
    const stranger = new TransactionalClient(client, 'never-seen', producer.topic);
    Object.assign(stranger, { producerId: 4, producerEpoch: 0 });
    expect(partitionCode(await stranger.addPartitions(3))).toBe(49);
    expect(await stranger.end(3, true)).toMatchObject({ errorCode: 49 });
    expect(await stranger.addOffsets(3)).toBe(49);
    const empty = new TransactionalClient(client, '', producer.topic);
    expect(partitionCode(await empty.addPartitions(3))).toBe(42);
    expect(await empty.end(3, true)).toMatchObject({ errorCode: 42 });
    expect(await empty.addOffsets(3)).toBe(42);
    producer.producerId += 1;
    expect(await producer.end(3, true)).toMatchObject({ errorCode: 49 });
    expect(await producer.produce(9, 'a')).toMatchObject({ errorCode: 49 });
  });

  test('txn T-73: EndTxn without a transaction is 48, and one that was answered may be sent again', async () => {
    const producer = await aProducer();
    expect(await producer.end(3, true)).toMatchObject({ errorCode: 48 });
    await producer.addPartitions(3);
    expect(await producer.end(3, true)).toMatchObject({ errorCode: 0 });
    let again = await producer.end(3, true);
    while (again['errorCode'] === 51) again = await producer.end(3, true);
    expect(again).toMatchObject({ errorCode: 0 });
    expect(await producer.end(3, false)).toMatchObject({ errorCode: 48 });
  });
});

describe('TxnOffsetCommit', () => {
  test('txn T-60, T-121, wire G-43: to a partition that was not added it is 48, from v4 on 120; v5 adds it', async () => {
    const producer = await aProducer();
    for (const version of [0, 1, 2, 3]) expect(await producer.commitOffsets(version)).toEqual([48]);
    expect(await producer.commitOffsets(4)).toEqual([120]);
    expect(await producer.commitOffsets(5)).toEqual([0]);
    expect(await producer.end(5, true)).toMatchObject({ errorCode: 0, producerEpoch: 1 });
  });

  test('txn T-63, wire G-44: who says nothing of a group is not fenced, whoever names a generation of no group is 22', async () => {
    const producer = await aProducer();
    expect(await producer.addOffsets(3, 'g')).toBe(0);
    for (const version of [0, 1, 2, 3, 4]) expect(await producer.commitOffsets(version)).toEqual([0]);
    expect(await producer.addOffsets(3, 'nobody')).toBe(0);
    const member = { groupId: 'nobody', generationIdOrMemberEpoch: 1, memberId: 'm' };
    expect(await producer.commitOffsets(3, member)).toEqual([22]);
    expect(await producer.commitOffsets(3, { groupId: '' })).toEqual([24]);
  });

  test('wire G-31, G-33: what does not exist is 3, metadata that is too long 12; the rest is committed', async () => {
    const producer = await aProducer();
    expect(await producer.addOffsets(3)).toBe(0);
    const offset = { committedOffset: 7, committedLeaderEpoch: -1, committedMetadata: null };
    const topics = [
      { name: 'absent', partitions: [{ ...offset, partitionIndex: 0 }] },
      {
        name: producer.topic,
        partitions: [
          { ...offset, partitionIndex: 5 },
          { ...offset, partitionIndex: 0, committedMetadata: 'x'.repeat(4097) },
          { ...offset, partitionIndex: 0 },
        ],
      },
    ];
    expect(await producer.commitOffsets(3, { topics })).toEqual([3, 3, 12, 0]);
  });
});

describe('wire W-71, W-72, repl R-117: the order in which a Produce is judged', () => {
  /** A transactional batch of a producer that has added nothing. */
  const batchOf = (producerId: number): Buffer =>
    encodeBatch([{ timestamp: Date.now(), key: null, value: null }], {
      ...{ producerId, producerEpoch: 0, baseSequence: 0, attributes: TRANSACTIONAL },
    });

  const produce = async (parts: readonly (readonly [string, Buffer])[], more: Struct): Promise<number[]> => {
    const topicData = parts.map(([name, records]) => ({ name, partitionData: [{ index: 0, records }] }));
    const body = { transactionalId: null, acks: -1, timeoutMs: 5000, topicData, ...more };
    const { responses } = (await client.ask(PRODUCE, 9, body)).body;
    return (responses as Struct[]).map((topic) => Number(first(topic['partitionResponses'])['errorCode']));
  };

  test('a transactional batch without an id is 53 everywhere; an old message set is none, whatever its bytes', async () => {
    const { topic } = await aProducer();
    const plain = encodeBatch([{ timestamp: Date.now(), key: null, value: null }]);
    const parts = [
      [topic, batchOf(5000)],
      ['no-such-topic', plain],
    ] as const;
    expect(await produce(parts, {})).toEqual([53, 53]);
    const old = Buffer.from(batchOf(5000));
    old.writeInt8(1, 16);
    expect(await produce([[topic, old]], {})).toEqual([87]);
  });

  test('two producers are 49 everywhere, but only those whose batches could be unpacked count', async () => {
    const [{ topic, transactionalId, producerId }, other] = [await aProducer(), await aProducer()];
    const two = (name: string) =>
      [
        [topic, batchOf(producerId)],
        [name, batchOf(producerId + 1)],
      ] as const;
    expect(await produce(two(other.topic), { transactionalId })).toEqual([49, 49]);
    expect(await produce(two('no-such-topic'), { transactionalId })).toEqual([48, 3]);
  });

  test('verification comes before acks, and before who may write to internal topics', async () => {
    const { topic, transactionalId, producerId } = await aProducer();
    const parts = [
      [topic, batchOf(producerId)],
      ['__consumer_offsets', batchOf(producerId)],
    ] as const;
    expect(await produce(parts, { transactionalId, acks: 5 })).toEqual([48, 48]);
    expect(await produce(parts, { transactionalId })).toEqual([48, 48]);
  });

  test('a producer id that nobody can have been given is 49 in a transaction', async () => {
    const { topic, transactionalId } = await aProducer();
    expect(await produce([[topic, batchOf((2n ** 60n) as never)]], { transactionalId })).toEqual([49]);
  });
});
