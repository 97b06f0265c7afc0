// OffsetCommit, OffsetFetch and OffsetDelete over the wire: fields and errors by version (wire G-9, G-31 to G-36).
import { describe, expect, test } from 'vitest';
import { coordinatorPartition } from '../../../../src/base/java-hash.ts';
import type { Struct } from '../../generic-codec.ts';
import { first } from '../served-topic.ts';
import {
  commitBody,
  commitOf,
  fetchBody,
  groupCluster,
  OFFSET_COMMIT,
  OFFSET_DELETE,
  OFFSET_FETCH,
  versions,
} from './support.ts';

const MINUTE_MS = 60_000;
const { cluster, ask, stable } = groupCluster({
  config: { 'offsets.retention.minutes': 100_000, 'offsets.retention.check.interval.ms': MINUTE_MS },
});

/** Error codes in the order of a response. */
const codes = (answer: Struct) =>
  (answer['topics'] as Struct[]).map(({ partitions }) => (partitions as Struct[]).map(({ errorCode }) => errorCode));
const commit = async (version: number, body: Struct) => codes(await ask(OFFSET_COMMIT, version, body));
const T0 = [{ name: 't', partitionIndexes: [0] }];
/** Offset, leader epoch, metadata and error of t-0. */
const fetched = async (groupId: string, version: number) => {
  const answer = await ask(OFFSET_FETCH, version, fetchBody(groupId, T0));
  const { topics } = version >= 8 ? first(answer['groups']) : answer;
  return first(first(topics)['partitions']);
};

describe('OffsetCommit', () => {
  test.each(versions(2, 9))(
    'wire G-33: what v%d commits is there for every version of OffsetFetch',
    async (version) => {
      const groupId = `commit-${version}`;
      const answer = await ask(OFFSET_COMMIT, version, commitBody(groupId, 7));
      const topics = [{ name: 't', partitions: [{ partitionIndex: 0, errorCode: 0 }] }];
      expect(answer).toEqual({ ...(version >= 3 && { throttleTimeMs: 0 }), topics });
      for (const fetch of versions(1, 9)) {
        const committedLeaderEpoch = version >= 6 ? 0 : -1;
        expect(await fetched(groupId, fetch)).toEqual({
          ...{ partitionIndex: 0, committedOffset: 7, metadata: 'm', errorCode: 0 },
          ...(fetch >= 5 && { committedLeaderEpoch }),
        });
      }
    },
  );

  test.each([
    [2, 22],
    [8, 22],
    [9, 69],
  ])('wire G-32: v%d hears %d of a generation of a group that is not there', async (version, code) => {
    const body = commitBody('nowhere', 1, { generationIdOrMemberEpoch: 3, memberId: 'm' });
    expect(await commit(version, body)).toEqual([[code]]);
  });

  test('wire G-31, G-33: each partition has its error, a topic that repeats is answered where it stands', async () => {
    const topics = [
      { name: 't', partitions: [commitOf(0, 1), commitOf(2, 1)] },
      { name: 'none', partitions: [commitOf(0, 1)] },
      { name: 't', partitions: [commitOf(1, 1, { committedMetadata: 'x'.repeat(4097) })] },
    ];
    expect(await commit(7, commitBody('each', 0, { topics }))).toEqual([[0, 3], [3], [12]]);
    expect(await commit(7, commitBody('each', 0, { topics: [] }))).toEqual([]);
  });

  test('wire G-33: null metadata is stored as ""', async () => {
    const topics = [{ name: 't', partitions: [commitOf(0, 5, { committedMetadata: null })] }];
    expect(await commit(2, commitBody('silent', 0, { topics }))).toEqual([[0]]);
    expect(await fetched('silent', 9)).toMatchObject({ committedOffset: 5, metadata: '' });
  });

  test('wire G-32: members commit in their generation, others not while there are members', async () => {
    const { memberId, generationId } = await stable('members', { sessionTimeoutMs: 60_000 });
    const by = (more: Struct) => commit(7, commitBody('members', 4, more));
    expect(await by({ memberId, generationIdOrMemberEpoch: generationId })).toEqual([[0]]);
    expect(await by({ memberId, generationIdOrMemberEpoch: 9 })).toEqual([[22]]);
    expect(await by({ memberId: 'ghost', generationIdOrMemberEpoch: generationId })).toEqual([[25]]);
    expect(await by({})).toEqual([[25]]);
  });

  test('wire G-9, G-41: v2 to v4 may say for how long a commit holds; from v5 on the broker says', async () => {
    const retentionTimeMs = 3 * MINUTE_MS;
    expect(await commit(4, commitBody('short', 1, { retentionTimeMs }))).toEqual([[0]]);
    expect(await commit(4, commitBody('usual', 1))).toEqual([[0]]);
    expect(await commit(5, commitBody('newer', 1, { retentionTimeMs }))).toEqual([[0]]);
    const all = async () => {
      const offsets = ['short', 'usual', 'newer'].map(
        async (groupId) => (await fetched(groupId, 1))['committedOffset'],
      );
      return Promise.all(offsets);
    };
    expect(await all()).toEqual([1, 1, 1]);
    cluster().skip(4 * MINUTE_MS);
    expect(await all()).toEqual([-1, 1, 1]);
  });
});

describe('OffsetFetch', () => {
  test('wire G-35: null topics are all that a group has, none is none, and unknown ones are no error', async () => {
    const topics = [{ name: 't', partitions: [commitOf(1, 8), commitOf(0, 3)] }];
    await commit(7, commitBody('all', 0, { topics }));
    for (const version of versions(2, 7)) {
      const answer = await ask(OFFSET_FETCH, version, fetchBody('all', null));
      const partitions = first(answer['topics'])['partitions'] as Struct[];
      expect(partitions.map(({ partitionIndex, committedOffset }) => [partitionIndex, committedOffset])).toEqual([
        [0, 3],
        [1, 8],
      ]);
      expect(await ask(OFFSET_FETCH, version, fetchBody('all', []))).toMatchObject({ topics: [], errorCode: 0 });
    }
    const unknown = [{ name: 'none', partitionIndexes: [4] }];
    const nothing = { partitionIndex: 4, committedOffset: -1, committedLeaderEpoch: -1, metadata: '', errorCode: 0 };
    expect(await ask(OFFSET_FETCH, 5, fetchBody('all', unknown))).toMatchObject({
      topics: [{ name: 'none', partitions: [nothing] }],
    });
  });

  test('wire G-35: from v8 on each group has its answer, in order; a group may be asked for twice', async () => {
    await commit(7, commitBody('many', 6));
    const group = (groupId: string, topics: Struct[] | null) => ({ groupId, memberId: null, memberEpoch: -1, topics });
    for (const version of [8, 9]) {
      const groups = [group('many', null), group('unheard', T0), group('many', [])];
      const answer = await ask(OFFSET_FETCH, version, { groups, requireStable: version === 9 });
      const offset = (committedOffset: number) => [
        { name: 't', partitions: [expect.objectContaining({ committedOffset })] },
      ];
      expect(answer['groups']).toEqual([
        { groupId: 'many', topics: offset(6), errorCode: 0 },
        { groupId: 'unheard', topics: offset(-1), errorCode: 0 },
        { groupId: 'many', topics: [], errorCode: 0 },
      ]);
      expect(await ask(OFFSET_FETCH, version, { groups: [], requireStable: false })).toMatchObject({ groups: [] });
    }
  });

  test('wire G-35, txn T-70: an offset that a transaction may still change is 88 for those who want it stable', async () => {
    await commit(7, commitBody('pending', 2));
    await pendingOffset('pending', 9);
    const stable = async (requireStable: boolean) => {
      const answer = await ask(OFFSET_FETCH, 7, fetchBody('pending', T0, { requireStable }));
      expect(answer['errorCode']).toBe(0);
      return first(first(answer['topics'])['partitions']);
    };
    expect(await stable(true)).toMatchObject({ errorCode: 88, committedOffset: -1 });
    expect(await stable(false)).toMatchObject({ errorCode: 0, committedOffset: 2 });
  });

  /** Commits in a transaction that stays open. */
  async function pendingOffset(groupId: string, offset: number): Promise<void> {
    const transactionalId = 'tx';
    await cluster().client().ask(10, 1, { key: transactionalId, keyType: 1 });
    await cluster().until(() => cluster().sim.isLed('__transaction_state'));
    const identity = { transactionTimeoutMs: 60_000, producerId: -1, producerEpoch: -1 };
    const init = { hasTransactionalId: true, transactionalId, ...identity };
    let producer = await cluster().call(1, 'InitProducerId', init);
    while (producer.error !== 'NONE') producer = await cluster().call(1, 'InitProducerId', init);
    const { producerId, producerEpoch } = producer;
    const offsets = [{ topic: 't', partition: 0, offset, leaderEpoch: -1, metadata: '' }];
    const { partitions } = await cluster().call(1, 'TxnOffsetCommit', {
      ...{ transactionalId, groupId, producerId, producerEpoch, generationId: -1, memberId: '', groupInstanceId: '' },
      ...{ offsets, transactionVersion: 2 },
    });
    expect(partitions[0]!.error).toBe('NONE');
  }
});

describe('OffsetFetch of another broker', () => {
  const three = groupCluster({ brokers: 3 });

  test('wire G-4, G-35: v1 says so in each partition, v2 to v7 for all, v8 for each group', async () => {
    const leaderOf = (groupId: string) =>
      three.cluster().leaderOf('__consumer_offsets', coordinatorPartition(groupId, 5));
    const groupIds = ['a', 'b', 'c', 'd', 'e', 'f'];
    const elsewhere = groupIds.find((groupId) => leaderOf(groupId) !== 1)!;
    const here = groupIds.find((groupId) => leaderOf(groupId) === 1)!;
    const ask1 = (version: number, body: Struct) => three.ask(OFFSET_FETCH, version, body, 1);
    const refused = { partitionIndex: 0, committedOffset: -1, metadata: '', errorCode: 16 };
    expect(await ask1(1, fetchBody(elsewhere, T0))).toEqual({ topics: [{ name: 't', partitions: [refused] }] });
    for (const version of versions(2, 7)) {
      expect(await ask1(version, fetchBody(elsewhere, T0))).toMatchObject({ topics: [], errorCode: 16 });
    }
    const groups = [elsewhere, here].map((groupId) => ({ groupId, memberId: null, memberEpoch: -1, topics: T0 }));
    expect((await ask1(8, { groups, requireStable: false }))['groups']).toMatchObject([
      { groupId: elsewhere, topics: [], errorCode: 16 },
      { groupId: here, topics: [{ name: 't' }], errorCode: 0 },
    ]);
  });
});

describe('OffsetDelete', () => {
  const remove = (groupId: string, topics: Struct[]) => ask(OFFSET_DELETE, 0, { groupId, topics });
  const partition = (partitionIndex: number) => ({ partitionIndex });

  test('wire G-36: offsets of topics that nobody subscribes to go; the others say why not', async () => {
    const topics = [{ name: 't', partitions: [commitOf(0, 1), commitOf(1, 2)] }];
    await commit(7, commitBody('tools', 0, { topics }));
    const answer = await remove('tools', [
      { name: 't', partitions: [partition(0), partition(7)] },
      { name: 'none', partitions: [partition(0)] },
    ]);
    expect(answer).toMatchObject({ errorCode: 0, throttleTimeMs: 0 });
    expect(codes(answer)).toEqual([[0, 3], [3]]);
    expect(await fetched('tools', 7)).toMatchObject({ committedOffset: -1 });
  });

  test('wire G-5, G-36: a topic in use is 86, a group that is not there 69, and one without a name 24', async () => {
    await stable('readers', { sessionTimeoutMs: 60_000 });
    expect(codes(await remove('readers', [{ name: 't', partitions: [partition(0)] }]))).toEqual([[86]]);
    const topics = [{ name: 't', partitions: [partition(0)] }];
    expect(await remove('nobody', topics)).toEqual({ errorCode: 69, throttleTimeMs: 0, topics: [] });
    expect(await remove('', topics)).toMatchObject({ errorCode: 24 });
  });
});
