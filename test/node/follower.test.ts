// A follower with a scripted leader: what it asks, and what it does with answers, timely, late and wrong.
import { describe, expect, test } from 'vitest';
import type { ErrorName } from '../../src/protocol/errors.ts';
import { askOf, fetched, records, ScriptedLeader } from './support/scripted-leader.ts';
import { aFollower, BACKOFF_MS, holding, UNCHANGED } from './support/scripted-leader.ts';
import { TOPIC } from './support/stage.ts';

describe('what a follower asks (repl R-23, R-71, R-72)', () => {
  test('from an empty log: offset 0, no last fetched epoch', () => {
    const { stage, leader } = aFollower();
    const request = leader.request(1);
    expect(request).toMatchObject({
      replicaId: 1,
      replicaEpoch: stage.host.broker.brokerEpoch,
      full: true,
      sequence: 0,
    });
    expect(askOf(request)).toMatchObject({ fetchOffset: 0, lastFetchedEpoch: -1, currentLeaderEpoch: 0 });
  });
  test('after an append: the next offset and the epoch of the last batch', () => {
    const { leader } = holding(['a', 'b'], 0);
    expect(leader.request(2)).toMatchObject({ full: false, sequence: 1 });
    expect(askOf(leader.request(2))).toMatchObject({ fetchOffset: 2, lastFetchedEpoch: 0 });
  });
  test('repl R-39: of batches that are older than their leader, their own epoch', () => {
    const { stage, leader } = aFollower();
    stage.change({ leader: 2 });
    expect(askOf(leader.request(2))).toMatchObject({ fetchOffset: 0, currentLeaderEpoch: 1 });
    leader.answer([fetched({ records: records(0, 0, 'a') })]);
    expect(askOf(leader.request(3))).toMatchObject({ fetchOffset: 1, lastFetchedEpoch: 0 });
  });
  test('T-9: an empty answer does not clear the last fetched epoch', () => {
    const { leader } = holding(['a'], 0);
    leader.answer([fetched({ highWatermark: 1 })]);
    expect(leader.request(3).partitions).toEqual([]);
  });
  test('T-12: an ISR change does not touch the fetcher; a new epoch of the same leader does', () => {
    const { stage, leader } = holding(['a'], 0);
    stage.change({ isr: [1, 2] });
    stage.runFor(50);
    expect(leader.requests).toHaveLength(2);
    stage.change({ leader: 2 });
    const request = leader.request(3);
    expect(request).toMatchObject({ full: true, streamGeneration: 1, sequence: 2 });
    expect(askOf(request)).toMatchObject({ fetchOffset: 1, lastFetchedEpoch: 0, currentLeaderEpoch: 1 });
  });
});

describe('repl R-48: the high watermark of a follower', () => {
  test("is the leader's, bounded by its own log end after the append, and may go down (T-5)", () => {
    const { stage, leader } = holding(['a', 'b'], 9);
    expect(stage.replica).toMatchObject({ highWatermark: 2, logEndOffset: 2 });
    leader.answer([fetched({ highWatermark: 1 })]);
    leader.request(3);
    expect(stage.replica).toMatchObject({ highWatermark: 1 });
    expect(stage.seen('hw')).toMatchObject([
      { role: 'follower', from: 0, to: 2 },
      { role: 'follower', from: 2, to: 1 },
    ]);
  });
  test('T-5: it is taken after the append, in one step', () => {
    const { stage, leader } = holding(['a'], 0);
    leader.answer([fetched({ records: records(1, 0, 'b'), highWatermark: 2 })]);
    leader.request(3);
    expect(stage.seen('hw')).toMatchObject([{ from: 0, to: 2 }]);
  });
  test('repl R-19, R-39: the log start of the leader is followed, after the high watermark', () => {
    const { stage, leader } = holding(['a'], 0);
    leader.answer([fetched({ records: records(1, 0, 'b', 'c'), highWatermark: 3, logStartOffset: 2 })]);
    expect(askOf(leader.request(3))).toMatchObject({ fetchOffset: 3, lastFetchedEpoch: 0, logStartOffset: 2 });
    expect(stage.replica).toMatchObject({ logStartOffset: 2, highWatermark: 3, logEndOffset: 3 });
  });
});

describe('BUG-78, repl R-39: which answers count', () => {
  test('not one to an older request', () => {
    const { stage, leader } = holding(['a'], 0);
    const old = leader.request(2);
    stage.change({ leader: 2 });
    leader.request(3);
    leader.answer([fetched({ records: records(1, 0, 'x') })], old);
    stage.runFor(50);
    expect(stage.replica.logEndOffset).toBe(1);
  });
  test('T-11, KAFKA-18991: not a divergence found in an older epoch', () => {
    const { stage, leader } = holding(['a', 'b'], 2);
    const old = leader.request(2);
    stage.controller.silent = false;
    stage.change({ leader: 2 });
    leader.answer([fetched({ divergingEpoch: { epoch: 0, endOffset: 0 } })], old);
    stage.runFor(50);
    expect(stage.replica.logEndOffset).toBe(2);
    expect(stage.seen('diverged')).toEqual([]);
  });
  test('of a partition that an answer names twice, the first', () => {
    const { stage, leader } = holding(['a'], 0);
    const twice = fetched({ records: records(1, 0, 'b') });
    leader.answer([twice, twice]);
    expect(askOf(leader.request(3))).toMatchObject({ fetchOffset: 2 });
    expect(stage.replica.logEndOffset).toBe(2);
  });
  test('not one of a leader that was left; its stream is half-closed, not broken', () => {
    const { stage, leader } = holding(['a'], 0);
    const other = new ScriptedLeader(stage, 3);
    const old = leader.request(2);
    stage.change({ leader: 3, isr: [3] });
    other.request(1);
    stage.until(() => leader.streams[0]!.ended, 100);
    leader.answer([fetched({ records: records(1, 0, 'x') })], old);
    leader.streams[0]!.stream.end();
    stage.runFor(50);
    expect(leader.streams).toMatchObject([{ ended: true, closed: false }]);
    expect(stage.replica.logEndOffset).toBe(1);
  });
});

describe('repl R-73: divergence', () => {
  test('is cut at once, and the rest of the answer is not looked at (T-10)', () => {
    const { stage, leader } = holding(['a', 'b', 'c'], 1);
    leader.answer([
      fetched({ divergingEpoch: { epoch: 0, endOffset: 2 }, records: records(3, 0, 'x'), highWatermark: 9 }),
    ]);
    expect(askOf(leader.request(3))).toMatchObject({ fetchOffset: 2, lastFetchedEpoch: 0 });
    expect(stage.replica).toMatchObject({ logEndOffset: 2, highWatermark: 1 });
    expect(stage.seen('diverged')).toMatchObject([{ divergingEpoch: 0, endOffset: 2, truncateTo: 2 }]);
  });
  test('below its high watermark it is legal, and said', () => {
    const { stage, leader } = holding(['a', 'b', 'c'], 3);
    leader.answer([fetched({ divergingEpoch: { epoch: 0, endOffset: 1 } })]);
    leader.request(3);
    expect(stage.replica).toMatchObject({ logEndOffset: 1, highWatermark: 1 });
    expect(stage.seen('log.line').some(({ message }) => message.includes('below its high watermark 3'))).toBe(true);
  });
  test('repl R-79: an ex-leader that wrote nothing drops its own epoch entry', () => {
    const { stage, leader } = holding(['a'], 1);
    stage.change({ leader: 1, isr: [1, 2] });
    stage.change({ leader: 2, isr: [2] });
    expect(askOf(leader.request(3))).toMatchObject({ fetchOffset: 1, lastFetchedEpoch: 1, currentLeaderEpoch: 2 });
    leader.answer([fetched({ divergingEpoch: { epoch: 0, endOffset: 1 } })]);
    expect(askOf(leader.request(4))).toMatchObject({ fetchOffset: 1, lastFetchedEpoch: 0 });
    expect(stage.replica.logEndOffset).toBe(1);
  });
});

describe('repl R-74: out of range', () => {
  const outOfRange = fetched({ error: 'OFFSET_OUT_OF_RANGE', highWatermark: -1, logStartOffset: -1 });
  test('a leader that ends earlier: cut there', () => {
    const { stage, leader } = holding(['a', 'b', 'c'], 0);
    leader.answer([outOfRange]);
    leader.answerEnd(1, 1);
    leader.answerEnd(2, 0);
    expect(askOf(leader.request(3))).toMatchObject({ fetchOffset: 1, lastFetchedEpoch: 0 });
    expect(stage.replica.logEndOffset).toBe(1);
    expect(leader.listOffsets[0]!.request).toMatchObject({ replicaId: 1 });
    expect(leader.listOffsets[0]!.request.partitions).toMatchObject([{ currentLeaderEpoch: 0, timestamp: -1 }]);
  });
  test('a leader that begins later: wiped, and begun there', () => {
    const { stage, leader } = holding(['a'], 0);
    leader.answer([outOfRange]);
    leader.answerEnd(1, 30);
    leader.answerEnd(2, 20);
    expect(askOf(leader.request(3))).toMatchObject({ fetchOffset: 20, lastFetchedEpoch: -1, logStartOffset: 20 });
    expect(stage.replica).toMatchObject({ logStartOffset: 20, logEndOffset: 20, highWatermark: 20 });
  });
  test.each([
    { end: 5, start: 0 },
    { end: 1, start: 0 },
    { end: 5, start: 1 },
  ])('neither ($end, $start): the log is kept, and the same question asked again, after a rest', ({ end, start }) => {
    const { stage, leader } = holding(['a'], 0);
    leader.answer([outOfRange]);
    leader.answerEnd(1, end);
    leader.answerEnd(2, start);
    stage.until(() => leader.listOffsets.length === 2);
    const answeredAt = stage.world.now;
    expect(leader.request(3)).toMatchObject(UNCHANGED);
    expect(stage.world.now - answeredAt).toBeGreaterThanOrEqual(BACKOFF_MS);
  });
  test('a leader in a newer epoch: not before metadata brings it', () => {
    const { stage, leader } = holding(['a'], 0);
    leader.answer([outOfRange]);
    stage.until(() => leader.listOffsets.length === 1);
    const fenced = { error: 'FENCED_LEADER_EPOCH' as const, timestamp: -1, offset: -1, leaderEpoch: -1 };
    leader.listOffsets[0]!.answer({ partitions: [{ topic: TOPIC, partition: 0, ...fenced }] });
    stage.runFor(5000);
    expect(leader.requests).toHaveLength(2);
    stage.change({ leader: 2 });
    expect(askOf(leader.request(3))).toMatchObject({ currentLeaderEpoch: 1, fetchOffset: 1 });
  });
  test('an answer that comes after a new epoch changes nothing', () => {
    const { stage, leader } = holding(['a', 'b'], 0);
    leader.answer([outOfRange]);
    stage.until(() => leader.listOffsets.length === 1);
    stage.change({ leader: 2 });
    leader.answerEnd(1, 0);
    leader.answerEnd(2, 0);
    stage.runFor(50);
    expect(stage.replica.logEndOffset).toBe(2);
  });
});

describe('repl R-40: errors', () => {
  const retried: ErrorName[] = [
    ...(['UNKNOWN_LEADER_EPOCH', 'NOT_LEADER_OR_FOLLOWER', 'UNKNOWN_TOPIC_ID'] as const),
    ...([
      'UNKNOWN_TOPIC_OR_PARTITION',
      'INCONSISTENT_TOPIC_ID',
      'KAFKA_STORAGE_ERROR',
      'UNKNOWN_SERVER_ERROR',
    ] as const),
  ];
  test.each(retried)('%s: asked again after replica.fetch.backoff.ms', (error) => {
    const { stage, leader } = holding(['a'], 0);
    const before = stage.world.now;
    leader.answer([fetched({ error })]);
    expect(leader.request(3)).toMatchObject(UNCHANGED);
    expect(stage.world.now - before).toBeGreaterThanOrEqual(BACKOFF_MS);
  });
  test('FENCED_LEADER_EPOCH: not before metadata brings a new epoch', () => {
    const { stage, leader } = holding(['a'], 0);
    leader.answer([fetched({ error: 'FENCED_LEADER_EPOCH' })]);
    stage.runFor(5000);
    expect(leader.requests).toHaveLength(2);
    stage.change({ leader: 2 });
    expect(askOf(leader.request(3))).toMatchObject({ currentLeaderEpoch: 1 });
  });
  test('a damaged batch: refetched after the backoff', () => {
    const { stage, leader } = holding(['a'], 0);
    const damaged = records(1, 0, 'x');
    damaged.writeUInt32BE(7, 17);
    leader.answer([fetched({ records: damaged })]);
    expect(leader.request(3)).toMatchObject(UNCHANGED);
    expect(stage.replica.logEndOffset).toBe(1);
  });
  test('offsets that do not fit: failed until a new epoch (repl R-6)', () => {
    const { stage, leader } = holding(['a', 'b'], 0);
    leader.answer([fetched({ records: records(0, 0, 'x') })]);
    stage.runFor(5000);
    expect(leader.requests).toHaveLength(2);
    stage.change({ leader: 2 });
    leader.request(3);
  });
  test('T-37: what belongs to a newer epoch is left out, and not asked for in a tight loop', () => {
    const { stage, leader } = holding(['a'], 0);
    const answeredAt = stage.world.now;
    leader.answer([fetched({ records: records(1, 5, 'x') })]);
    leader.request(3);
    expect(stage.world.now - answeredAt).toBeGreaterThanOrEqual(BACKOFF_MS);
    expect(stage.replica.logEndOffset).toBe(1);
  });
});

describe('safeguard trunc.leaderEpoch off (BUG-01)', () => {
  test('every become-follower cuts to the own high watermark, and no epoch is sent', () => {
    const { stage, leader } = holding(['a', 'b'], 1, { safeguardsOff: ['trunc.leaderEpoch'] });
    expect(askOf(leader.request(2))).toMatchObject({ lastFetchedEpoch: -1 });
    stage.change({ leader: 2 });
    expect(askOf(leader.request(3))).toMatchObject({ fetchOffset: 1, lastFetchedEpoch: -1 });
    expect(stage.replica).toMatchObject({ logEndOffset: 1 });
  });
  test('I-5: a leader that is deposed says so before it cuts', () => {
    const { stage, leader } = holding(['a', 'b'], 1, { safeguardsOff: ['trunc.leaderEpoch'] });
    stage.change({ leader: 1, isr: [1, 2] });
    stage.produced('c', { acks: 1 });
    stage.change({ leader: 2 });
    leader.request(3);
    const told = stage.events
      .map(({ event }) => event.type)
      .filter((type) => /^(follower|leader|log.trunc)/.test(type));
    expect(told.slice(-2)).toEqual(['follower.started', 'log.truncated']);
    expect(stage.seen('follower.started').at(-1)).toMatchObject({ fetchOffset: 1 });
    expect(stage.replica).toMatchObject({ logEndOffset: 1 });
  });
  test('on, it cuts nothing (T-6)', () => {
    const { stage, leader } = holding(['a', 'b'], 1);
    stage.change({ leader: 2 });
    expect(askOf(leader.request(3))).toMatchObject({ fetchOffset: 2, lastFetchedEpoch: 0 });
    expect(stage.replica).toMatchObject({ logEndOffset: 2 });
  });
});

test('consumers are not served by a follower', () => {
  const { stage } = holding(['a'], 1);
  const partitions = [{ topic: TOPIC, partition: 0, currentLeaderEpoch: -1, timestamp: -1 }];
  const listed = stage.call('ListOffsets', { replicaId: -1, isolationLevel: 0, partitions }).partitions[0];
  expect(listed).toMatchObject({ error: 'NOT_LEADER_OR_FOLLOWER' });
  const debug = stage.call('ListOffsets', { replicaId: -2, isolationLevel: 0, partitions }).partitions[0];
  expect(debug).toMatchObject({ error: 'NONE', offset: 1 }); // Repl: the debug reader may ask any replica.
});
