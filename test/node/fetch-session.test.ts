// Both halves of a fetch session.
import { describe, expect, test } from 'vitest';
import { FetchRequests } from '../../src/node/fetch-requests.ts';
import type { Ask } from '../../src/node/fetch-requests.ts';
import { FetchSession } from '../../src/node/fetch-session.ts';
import type { FetchedPartition, FetchPartition } from '../../src/protocol/generated/index.ts';

const ask = (partition: number, more: Partial<Ask> = {}): Ask => ({
  ...{ topicId: 'T', topic: 'orders', partition, leaderEpoch: 1, offset: 0, lastFetchedEpoch: -1, logStartOffset: 0 },
  ...more,
});
const listed = (request: { partitions: readonly { partition: number }[] }) =>
  request.partitions.map((one) => one.partition);

describe('the follower: what a request lists (repl R-38)', () => {
  test('the first one lists all; later ones what changed', () => {
    const requests = new FetchRequests(100);
    expect(requests.next([ask(0), ask(1)], true)).toMatchObject({ full: true, forgotten: [] });
    const second = requests.next([ask(0), ask(1, { offset: 5 })], false);
    expect(second.full).toBe(false);
    expect(listed(second)).toEqual([1]);
    expect(listed(requests.next([ask(0), ask(1, { offset: 5 })], false))).toEqual([]);
  });
  test.each([{ offset: 1 }, { leaderEpoch: 2 }, { lastFetchedEpoch: 0 }, { logStartOffset: 1 }])(
    '%o is a change',
    (more) => {
      const requests = new FetchRequests(100);
      requests.next([ask(0)], true);
      expect(listed(requests.next([ask(0, more)], false))).toEqual([0]);
    },
  );
  test('a partition that cannot be fetched now is forgotten, and listed when it comes back', () => {
    const requests = new FetchRequests(100);
    requests.next([ask(0), ask(1)], true);
    expect(requests.next([ask(0)], false).forgotten).toEqual([{ topicId: 'T', partition: 1 }]);
    expect(listed(requests.next([ask(0), ask(1)], false))).toEqual([1]);
  });
  test('while one is outstanding all are listed again, and nothing needs to be forgotten', () => {
    const requests = new FetchRequests(100);
    requests.next([ask(0), ask(1)], true);
    const again = requests.next([ask(0)], true);
    expect(again).toMatchObject({ full: true, forgotten: [] });
    expect(listed(again)).toEqual([0]);
  });
  test('it remembers what was asked of partitions that a request did not list', () => {
    const requests = new FetchRequests(100);
    requests.next([ask(0, { offset: 3 }), ask(1)], true);
    requests.next([ask(0, { offset: 3 }), ask(1, { offset: 9 })], false);
    expect(requests.asked('T', 0)).toMatchObject({ offset: 3 });
    expect(requests.asked('T', 1)).toMatchObject({ offset: 9 });
    expect(requests.asked('T', 2)).toBeUndefined();
  });
});

const want = (partition: number): FetchPartition => ({
  ...{ topicId: 'T', topic: 'orders', partition, currentLeaderEpoch: 1, fetchOffset: 0, lastFetchedEpoch: -1 },
  ...{ logStartOffset: 0, partitionMaxBytes: 100 },
});
const result = (partition: number, more: Partial<FetchedPartition> = {}): FetchedPartition => ({
  ...{ topicId: 'T', topic: 'orders', partition, error: 'NONE', highWatermark: 0, lastStableOffset: 0 },
  ...{
    logStartOffset: 0,
    records: Buffer.alloc(0),
    divergingEpoch: null,
    currentLeader: -1,
    currentLeaderEpoch: -1,
    preferredReadReplica: -1,
    fromFollower: false,
  },
  ...{ abortedTransactions: [] },
  ...more,
});
const opened = (...partitions: number[]): FetchSession => {
  const session = new FetchSession();
  session.update({ full: true, partitions: partitions.map(want), forgotten: [] });
  return session;
};

describe('the leader: which partitions are news (repl R-38)', () => {
  test('the first answer tells of all', () => {
    expect(listed({ partitions: opened(0, 1).news([result(0), result(1)]) })).toEqual([0, 1]);
  });
  test.each<[Partial<FetchedPartition>, boolean]>([
    [{}, false],
    [{ highWatermark: 1 }, true],
    [{ logStartOffset: 1 }, true],
    [{ lastStableOffset: 1 }, false],
    [{ records: Buffer.from('x') }, true],
    [{ error: 'KAFKA_STORAGE_ERROR', highWatermark: -1, logStartOffset: -1 }, true],
    [{ divergingEpoch: { epoch: 1, endOffset: 2 } }, true],
  ])('then %o is news: %s', (more, isNews) => {
    const session = opened(0);
    session.news([result(0)]);
    expect(session.news([result(0, more)]).length === 1).toBe(isNews);
  });
  test('after an error the partition is sent again even if nothing changed', () => {
    const session = opened(0);
    session.news([result(0)]);
    session.news([result(0, { error: 'UNKNOWN_LEADER_EPOCH', highWatermark: -1, logStartOffset: -1 })]);
    expect(session.news([result(0)])).toHaveLength(1);
    expect(session.news([result(0)])).toHaveLength(0);
  });
  test('a full request makes the leader forget what it told', () => {
    const session = opened(0);
    session.news([result(0)]);
    session.update({ full: true, partitions: [want(0)], forgotten: [] });
    expect(session.news([result(0)])).toHaveLength(1);
  });
  test('T-11: in another leader epoch it is told again: the follower may have ignored the last answer', () => {
    const session = opened(0);
    session.news([result(0)]);
    session.update({ full: false, partitions: [{ ...want(0), currentLeaderEpoch: 2 }], forgotten: [] });
    expect(session.news([result(0)])).toHaveLength(1);
    expect(session.news([result(0)])).toHaveLength(0);
  });
  test('a listed partition keeps what it was told', () => {
    const session = opened(0);
    session.news([result(0)]);
    session.update({ full: false, partitions: [{ ...want(0), fetchOffset: 4 }], forgotten: [] });
    expect(session.wanted).toMatchObject([{ fetchOffset: 4 }]);
    expect(session.news([result(0)])).toHaveLength(0);
  });
});

describe('the leader: which partitions are fetched', () => {
  test('unlisted ones still are; forgotten ones are not', () => {
    const session = opened(0, 1, 2);
    session.update({ full: false, partitions: [], forgotten: [{ topicId: 'T', partition: 1 }] });
    expect(listed({ partitions: session.wanted })).toEqual([0, 2]);
  });
  test('repl R-29: one that returned data moves to the end', () => {
    const session = opened(0, 1, 2);
    session.news([result(0, { records: Buffer.from('x') }), result(1), result(2)]);
    expect(listed({ partitions: session.wanted })).toEqual([1, 2, 0]);
  });
});
