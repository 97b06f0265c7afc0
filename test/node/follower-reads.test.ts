// Consumers at followers (KIP-392): whom a leader points them to, and what a follower serves them.
import { describe, expect, test } from 'vitest';
import { preferredReadReplica, type Candidate } from '../../src/node/read-replica.ts';
import { RACK_AWARE_SELECTOR } from '../../src/protocol/config.ts';
import type { FetchPartition } from '../../src/protocol/generated/index.ts';
import { fetched, holding, records } from './support/scripted-leader.ts';
import { ScriptedFollower } from './support/scripted-follower.ts';
import { Stage, wanted, type StageOptions } from './support/stage.ts';

const follower = (id: number, more: Partial<Candidate> = {}): Candidate => ({
  ...{ id, rack: 'b', logEndOffset: 10, sinceCaughtUpMs: 0 },
  ...more,
});

describe('repl R-35: the rack-aware selector', () => {
  test('the leader: no rack, nobody there, or the leader stands there itself', () => {
    expect(preferredReadReplica('', 'a', [follower(2, { rack: '' })])).toBeUndefined();
    expect(preferredReadReplica('c', 'a', [follower(2)])).toBeUndefined();
    expect(preferredReadReplica('b', 'b', [follower(2)])).toBeUndefined();
  });
  test('of several the one with most, then the one caught up last, then the highest id', () => {
    const longest = [follower(3), follower(2, { logEndOffset: 11, sinceCaughtUpMs: 9 }), follower(4, { rack: 'c' })];
    expect(preferredReadReplica('b', 'a', longest)).toBe(2);
    expect(preferredReadReplica('b', 'a', [follower(3, { sinceCaughtUpMs: 9 }), follower(2)])).toBe(2);
    expect(preferredReadReplica('b', 'a', [follower(3), follower(2)])).toBe(3);
  });
});

interface Asking {
  readonly rackId?: string;
  readonly leaderOnly?: boolean;
  readonly maxWaitMs?: number;
}

const request = (fetchOffset: number, asking: Asking = {}, more: Partial<FetchPartition> = {}) => ({
  ...{ replicaId: -1, replicaEpoch: -1, streamGeneration: 0, sequence: 0, maxWaitMs: 0, minBytes: 1 },
  ...{ maxBytes: 1_000_000, isolationLevel: 0, full: true, forgotten: [], rackId: '', leaderOnly: false },
  ...asking,
  partitions: [wanted(fetchOffset, { currentLeaderEpoch: -1, lastFetchedEpoch: -1, logStartOffset: -1, ...more })],
});
const consume = (stage: Stage, ...of: Parameters<typeof request>) =>
  stage.call('ConsumerFetch', request(...of)).partitions[0]!;

describe('repl R-35: a leader with a replica selector', () => {
  const racks = ['a', 'b', 'c'];
  const config = { 'replica.selector.class': RACK_AWARE_SELECTOR };
  /** Two records, which both followers have. */
  const aLeader = (options: StageOptions = {}, told: Partial<FetchPartition> = {}): Stage => {
    const stage = new Stage({ racks, config, replicas: [1, 2, 3], ...options }).start();
    stage.produced('A', { acks: 1 });
    stage.produced('B', { acks: 1 });
    for (const id of [2, 3]) new ScriptedFollower(stage, id).poll(2, told);
    return stage;
  };
  const REDIRECT = { error: 'NONE', preferredReadReplica: 2, records: Buffer.alloc(0) };

  test('points to the follower in the rack: no records, but the ends; at once, however long the asker would wait', () => {
    const stage = aLeader();
    expect(consume(stage, 0, { rackId: 'b' })).toMatchObject({ ...REDIRECT, highWatermark: 2, logStartOffset: 0 });
    const parked = stage.ask('ConsumerFetch', request(2, { rackId: 'b', maxWaitMs: 60_000 }));
    stage.until(() => parked.value !== undefined, 20);
  });
  test('serves those of its own rack, of none, of one where nobody stands, and those that know no better', () => {
    const stage = aLeader();
    for (const asking of [{ rackId: 'a' }, {}, { rackId: 'x' }, { rackId: 'b', leaderOnly: true }]) {
      const answer = consume(stage, 0, asking);
      expect(answer).toMatchObject({ error: 'NONE', preferredReadReplica: -1, fromFollower: false });
      expect(answer.records.length).toBeGreaterThan(0);
    }
  });
  test('repl R-24: who is sent elsewhere is asked for its epoch, and for nothing else', () => {
    const stage = aLeader();
    stage.change({ leader: 1 });
    for (const id of [2, 3]) new ScriptedFollower(stage, id, 2).poll(2, { currentLeaderEpoch: 1 });
    const asking = { rackId: 'b' };
    expect(consume(stage, 0, asking, { currentLeaderEpoch: 0 })).toMatchObject({ error: 'FENCED_LEADER_EPOCH' });
    expect(consume(stage, 0, asking, { currentLeaderEpoch: 2 })).toMatchObject({ error: 'UNKNOWN_LEADER_EPOCH' });
    expect(consume(stage, 0, asking, { currentLeaderEpoch: 1 })).toMatchObject(REDIRECT);
  });
  test('not to one that is out of the ISR, fenced, or known to hold less', () => {
    const out = aLeader({ isr: [1, 3] });
    out.change({ isr: [1, 3] });
    expect(consume(out, 0, { rackId: 'b' }).preferredReadReplica).toBe(-1);
    const fenced = aLeader();
    fenced.setFenced(2, true);
    fenced.untilApplied();
    expect(consume(fenced, 0, { rackId: 'b' }).preferredReadReplica).toBe(-1);
    const trimmed = aLeader({}, { logStartOffset: 1 });
    expect([0, 1].map((at) => consume(trimmed, at, { rackId: 'b' }).preferredReadReplica)).toEqual([-1, 2]);
    const short = aLeader();
    expect(consume(short, 3, { rackId: 'b' })).toMatchObject({
      ...{ error: 'OFFSET_OUT_OF_RANGE', preferredReadReplica: -1 },
    });
  });
  test('BUG-34: without follower.readBounds to whoever stands in the rack', () => {
    const stage = aLeader({ safeguardsOff: ['follower.readBounds'] });
    expect(consume(stage, 3, { rackId: 'b' })).toMatchObject(REDIRECT);
  });
  test('without one it is always the leader', () => {
    expect(consume(aLeader({ config: {} }), 0, { rackId: 'b' }).preferredReadReplica).toBe(-1);
  });
});

describe('repl R-22: a follower', () => {
  test('serves up to its own high watermark; above it nothing, and above its log end OFFSET_OUT_OF_RANGE (R-25)', () => {
    const { stage } = holding(['a', 'b', 'c'], 2);
    const first = consume(stage, 0);
    expect(first).toMatchObject({ error: 'NONE', highWatermark: 2, preferredReadReplica: -1, fromFollower: true });
    expect(first.records.equals(records(0, 0, 'a', 'b'))).toBe(true);
    expect(consume(stage, 3)).toMatchObject({ error: 'NONE', records: Buffer.alloc(0) });
    expect(consume(stage, 4)).toMatchObject({ error: 'OFFSET_OUT_OF_RANGE' });
  });
  test('repl R-24: compares epochs first, and refuses who may read from the leader alone', () => {
    const { stage } = holding(['a'], 1);
    expect(consume(stage, 0, {}, { currentLeaderEpoch: 1 })).toMatchObject({ error: 'UNKNOWN_LEADER_EPOCH' });
    expect(consume(stage, 0, { leaderOnly: true })).toMatchObject({
      error: 'NOT_LEADER_OR_FOLLOWER',
      currentLeader: 2,
    });
    stage.change({ leader: 2 });
    expect(consume(stage, 0, {}, { currentLeaderEpoch: 0 })).toMatchObject({ error: 'FENCED_LEADER_EPOCH' });
  });
  test('repl R-32: a consumer that waits there is answered when its high watermark rises', () => {
    const { stage, leader } = holding(['a', 'b'], 1);
    const parked = stage.ask('ConsumerFetch', request(1, { maxWaitMs: 60_000 }));
    stage.runFor(20);
    expect(parked.value).toBeUndefined();
    leader.answer([fetched({ highWatermark: 2 })]);
    stage.until(() => parked.value !== undefined, 20);
    expect(parked.value).toMatchObject({ kind: 'ok', response: { partitions: [{ error: 'NONE', highWatermark: 2 }] } });
  });
  test('repl R-31: and when its epoch changes', () => {
    const { stage } = holding(['a'], 1);
    const parked = stage.ask('ConsumerFetch', request(1, { maxWaitMs: 60_000 }, { currentLeaderEpoch: 0 }));
    stage.runFor(20);
    stage.change({ leader: 2 });
    stage.until(() => parked.value !== undefined, 20);
    expect(parked.value).toMatchObject({ response: { partitions: [{ error: 'FENCED_LEADER_EPOCH' }] } });
  });
});

describe('BUG-06: a deposed leader that is told where its log diverges', () => {
  /** Broker 1 holds x and y, which nobody else has, and is about to cut them; its new leader is far ahead. */
  const deposed = (safeguardsOff: readonly string[]): Stage => {
    const { stage, leader } = holding(['a', 'x', 'y'], 1, { safeguardsOff });
    stage.change({ leader: 2 });
    const action = { kind: 'hold', target: '', durationMs: 0, error: 'NONE' as const, laterMs: 0 };
    const counts = { nth: 0, times: 0, probability: 1, ttlMs: 0, owner: '' };
    expect(stage.host.engine.arm({ id: 'held', point: 'log.truncating', where: [], ...counts, action })).toBe('');
    leader.request(3);
    leader.answer([fetched({ divergingEpoch: { epoch: 0, endOffset: 1 }, highWatermark: 4 })]);
    stage.until(() => stage.host.engine.list()[0]!.firings === 1);
    return stage;
  };
  test('repl R-39, T-10: shows no more than before until it has cut; whoever names an older epoch is refused', () => {
    const stage = deposed([]);
    expect(consume(stage, 1)).toMatchObject({ error: 'NONE', highWatermark: 1, records: Buffer.alloc(0) });
    expect(consume(stage, 1, {}, { currentLeaderEpoch: 0 })).toMatchObject({ error: 'FENCED_LEADER_EPOCH' });
    stage.host.engine.release('held');
    stage.until(() => stage.replica.logEndOffset === 1);
    expect(stage.replica).toMatchObject({ highWatermark: 1 });
  });
  test('without hw.truncateFirst it serves what it is about to cut', () => {
    const stage = deposed(['hw.truncateFirst']);
    const { records: served } = consume(stage, 1);
    expect(served.equals(records(1, 0, 'x', 'y'))).toBe(true);
    stage.host.engine.release('held');
    stage.until(() => stage.replica.logEndOffset === 1);
  });
});
