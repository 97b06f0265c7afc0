// A leader with scripted followers: high watermark, ISR, and what it answers.
import { describe, expect, test } from 'vitest';
import { ScriptedFollower } from './support/scripted-follower.ts';
import { CLIENT, Stage, TOPIC, wanted } from './support/stage.ts';
import type { StageOptions } from './support/stage.ts';

const aStage = (options: StageOptions = {}): Stage => new Stage(options).start();

test('repl R-49: a record is acknowledged one fetch after it was fetched, and the follower hears of it one later', () => {
  const stage = aStage({ replicas: [1, 2] });
  const follower = new ScriptedFollower(stage, 2);
  follower.send([wanted(0)]); // 1: parks
  const a = stage.produce('A');
  stage.until(() => follower.answers.length === 1); // 2: answered with A, HW 0
  expect(follower.answers[0]!.partitions[0]).toMatchObject({ highWatermark: 0 });
  expect(follower.answers[0]!.partitions[0]!.records.length).toBeGreaterThan(0);
  expect(stage.replica).toMatchObject({ highWatermark: 0, logEndOffset: 1 });
  expect(a.answer).toBeUndefined();
  follower.send([wanted(1)]); // 3: RLEO 1, HW 1, A acknowledged; the fetch parks
  stage.until(() => a.answer !== undefined);
  expect(a.answer).toMatchObject({ error: 'NONE', baseOffset: 0 });
  expect(stage.replica).toMatchObject({ highWatermark: 1 });
  expect(follower.answers).toHaveLength(1);
  stage.until(() => follower.answers.length === 2, 600); // 4a: after 500 ms, HW re-sampled
  expect(follower.answers[1]!.partitions[0]).toMatchObject({ highWatermark: 1, records: Buffer.alloc(0) });
});

test('repl R-27, R-49 4b, T-3: a fetch that advances the high watermark and is answered at once reports the old one', () => {
  const stage = aStage({ replicas: [1, 2] });
  const follower = new ScriptedFollower(stage, 2);
  stage.produced('A', { acks: 1 });
  expect(follower.poll(0)).toMatchObject({ highWatermark: 0 });
  stage.produced('B', { acks: 1 });
  expect(follower.poll(1)).toMatchObject({ highWatermark: 0 });
  expect(stage.replica).toMatchObject({ highWatermark: 1, logEndOffset: 2 });
});

test('repl R-28: a fetch that leaves the purgatory is not recorded again', () => {
  const stage = aStage({ replicas: [1, 2] });
  const follower = new ScriptedFollower(stage, 2);
  follower.fetch(0);
  expect(stage.seen('fetch.recorded')).toHaveLength(1);
  const before = stage.replica.followers[0]!.caughtUpMsAgo;
  expect(before).toBeGreaterThanOrEqual(500);
});

describe('repl R-31, R-32: what ends a parked fetch', () => {
  test('a follower: not an advance of the high watermark (T-4)', () => {
    const stage = aStage({ replicas: [1, 2, 3] });
    stage.produced('A', { acks: 1 });
    const [second, third] = [new ScriptedFollower(stage, 2), new ScriptedFollower(stage, 3)];
    second.send([wanted(1)]);
    stage.runFor(50);
    third.send([wanted(1)]);
    stage.until(() => stage.replica.highWatermark === 1);
    expect(second.answers).toHaveLength(0);
  });
  test('a consumer: an advance of the high watermark, not an append', () => {
    const stage = aStage({ replicas: [1, 2] });
    const fetch = stage.ask('ConsumerFetch', consumer(0));
    stage.runFor(20);
    stage.produced('A', { acks: 1 });
    expect(fetch.value).toBeUndefined();
    const follower = new ScriptedFollower(stage, 2);
    follower.send([wanted(1)]);
    stage.until(() => fetch.value !== undefined, 100);
    expect(served(fetch)).toMatchObject({ error: 'NONE', highWatermark: 1 });
    expect(served(fetch)!.records.length).toBeGreaterThan(0);
  });
  test('a new leader epoch', () => {
    const stage = aStage({ replicas: [1, 2] });
    const follower = new ScriptedFollower(stage, 2);
    follower.send([wanted(0)], { maxWaitMs: 60_000 });
    stage.runFor(20);
    stage.change({ leader: 1 });
    stage.until(() => follower.answers.length === 1, 100);
    expect(follower.answers[0]!.partitions[0]).toMatchObject({ error: 'FENCED_LEADER_EPOCH', currentLeader: 1 });
  });
  test('too little is waited for, as much as is asked for', () => {
    const stage = aStage({ replicas: [1, 2] });
    const follower = new ScriptedFollower(stage, 2);
    follower.send([wanted(0)], { maxWaitMs: 5000, minBytes: 100 });
    stage.produced('A', { acks: 1 });
    stage.runFor(100);
    expect(follower.answers).toHaveLength(0);
    stage.produced('B', { acks: 1 });
    stage.until(() => follower.answers.length === 1, 100);
  });
  test('repl R-25: a consumer above the bound is answered at once, with nothing and no error', () => {
    const stage = aStage({ replicas: [1, 2] });
    stage.produced('A', { acks: 1 });
    const fetch = stage.ask('ConsumerFetch', consumer(1));
    stage.until(() => fetch.value !== undefined, 20);
    expect(served(fetch)).toMatchObject({ error: 'NONE', records: Buffer.alloc(0), highWatermark: 0 });
  });
});

function consumer(fetchOffset: number, currentLeaderEpoch = -1) {
  const partitions = [wanted(fetchOffset, { currentLeaderEpoch, lastFetchedEpoch: -1, logStartOffset: -1 })];
  return {
    ...{ replicaId: -1, replicaEpoch: -1, streamGeneration: 0, sequence: 0, maxWaitMs: 5000, minBytes: 1 },
    ...{ maxBytes: 1_000_000, isolationLevel: 0, full: true, partitions, forgotten: [], rackId: '', leaderOnly: false },
  };
}

function served(fetch: ReturnType<Stage['ask']>) {
  const outcome = fetch.value as { kind: 'ok'; response: { partitions: { records: Buffer }[] } };
  return outcome.response.partitions[0];
}

describe('repl R-45, R-13: below min ISR', () => {
  test('acks=all is refused, acks=1 is taken, and the high watermark does not move', () => {
    const stage = aStage({ replicas: [1, 2], isr: [1], minIsr: 2 });
    expect(stage.produced('A')).toMatchObject({ error: 'NOT_ENOUGH_REPLICAS', baseOffset: -1 });
    expect(stage.produced('B', { acks: 1 })).toMatchObject({ error: 'NONE', baseOffset: 0 });
    expect(stage.replica).toMatchObject({ highWatermark: 0, logEndOffset: 1 });
  });
  test('it jumps when an expansion is committed, not when it is proposed', () => {
    const stage = aStage({ replicas: [1, 2], isr: [1], minIsr: 2 });
    stage.produced('A', { acks: 1 });
    const follower = new ScriptedFollower(stage, 2);
    follower.poll(1);
    stage.until(() => stage.controller.proposals.length === 1);
    expect(stage.replica).toMatchObject({ highWatermark: 0, isr: [1], maximalIsr: [1, 2] });
    const answer = stage.altered({ isr: [1, 2], partitionEpoch: 1 });
    stage.controller.proposals[0]!.answer({ error: 'NONE', partitions: [answer] });
    stage.until(() => stage.replica.highWatermark === 1, 1000);
    expect(stage.replica).toMatchObject({ isr: [1, 2], maximalIsr: [1, 2] });
  });
});

describe('repl R-50, R-37: right after an election', () => {
  test('the high watermark waits for a fetch of the new epoch, and latest is not available (T-23)', () => {
    const stage = aStage({ replicas: [1, 2] });
    stage.produced('A', { acks: 1 });
    stage.change({ leader: 1 });
    expect(stage.replica).toMatchObject({ highWatermark: 0, logEndOffset: 1 });
    expect(listed(stage, -1)).toMatchObject({ error: 'OFFSET_NOT_AVAILABLE' });
    expect(listed(stage, 5)).toMatchObject({ error: 'OFFSET_NOT_AVAILABLE' });
    expect(listed(stage, -2)).toMatchObject({ error: 'NONE', offset: 0 });
    expect(listed(stage, -1, { replicaId: 2 })).toMatchObject({ error: 'NONE', offset: 1 }); // Followers may know.
    new ScriptedFollower(stage, 2).poll(1, { currentLeaderEpoch: 1 });
    expect(listed(stage, -1)).toMatchObject({ error: 'NONE', offset: 1, leaderEpoch: 1 });
  });
  test('a sole ISR member jumps to its log end at once', () => {
    const stage = aStage({ replicas: [1, 2], minIsr: 1 });
    stage.produced('A', { acks: 1 });
    stage.change({ leader: 1, isr: [1] });
    expect(stage.seen('hw').at(-1)).toMatchObject({ from: 0, to: 1, isr: [1], maximalIsr: [1] });
  });
});

function listed(stage: Stage, timestamp: number, more: { replicaId?: number; currentLeaderEpoch?: number } = {}) {
  const { replicaId = -1, currentLeaderEpoch = -1 } = more;
  const partitions = [{ topic: TOPIC, partition: 0, currentLeaderEpoch, timestamp }];
  return stage.call('ListOffsets', { replicaId, isolationLevel: 0, partitions }).partitions[0]!;
}

describe('repl R-37, R-69: looking up offsets', () => {
  test('clients see the high watermark; followers and the debug reader the log end', () => {
    const stage = aStage({ replicas: [1, 2] });
    stage.produced('A', { acks: 1 });
    expect(listed(stage, -1)).toMatchObject({ offset: 0 });
    expect(listed(stage, -1, { replicaId: 2 })).toMatchObject({ offset: 1 });
    expect(listed(stage, -1, { replicaId: -2 })).toMatchObject({ offset: 1 });
    expect(listed(stage, 1)).toMatchObject({ error: 'NONE', offset: -1 });
    expect(listed(stage, -1, { currentLeaderEpoch: 3 })).toMatchObject({ error: 'UNKNOWN_LEADER_EPOCH' });
    expect(listed(stage, -4)).toMatchObject({ error: 'UNSUPPORTED_VERSION' });
  });
  test('a partition named twice is an invalid request', () => {
    const stage = aStage();
    const twice = { topic: TOPIC, partition: 0, currentLeaderEpoch: -1, timestamp: -1 };
    const request = { replicaId: -1, isolationLevel: 0, partitions: [twice, { ...twice, timestamp: -2 }] };
    const { partitions } = stage.call('ListOffsets', request);
    expect(partitions).toMatchObject([{ error: 'INVALID_REQUEST' }, { error: 'INVALID_REQUEST' }]);
  });
  test('the end of a leader epoch; undefined is no error', () => {
    const stage = aStage();
    stage.produced('A', { acks: 1 });
    stage.change({ leader: 1 });
    const ask = (leaderEpoch: number, currentLeaderEpoch = -1) => {
      const partitions = [{ topic: TOPIC, partition: 0, currentLeaderEpoch, leaderEpoch }];
      return stage.call('OffsetsForLeaderEpoch', { partitions }).partitions[0]!;
    };
    expect(ask(0)).toMatchObject({ error: 'NONE', leaderEpoch: 0, endOffset: 1 });
    expect(ask(9)).toMatchObject({ error: 'NONE', leaderEpoch: -1, endOffset: -1 });
    expect(ask(0, 0)).toMatchObject({ error: 'FENCED_LEADER_EPOCH', endOffset: -1 });
  });
});

test('safeguard hw.bound off: consumers read up to the log end', () => {
  const stage = aStage({ replicas: [1, 2], safeguardsOff: ['hw.bound'] });
  const fetch = stage.ask('ConsumerFetch', consumer(0), CLIENT);
  stage.runFor(20);
  stage.produced('A', { acks: 1 });
  stage.until(() => fetch.value !== undefined, 20);
  expect(served(fetch)!.records.length).toBeGreaterThan(0);
  expect(stage.seen('consumer.served')).toMatchObject([{ fetchOffset: 0, endOffset: 1, highWatermark: 0 }]);
  expect(listed(stage, -1)).toMatchObject({ error: 'NONE', offset: 1 });
});
