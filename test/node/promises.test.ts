// What readers, producers and followers may rely on of a broker, each with the look-alike that is not promised.
import { describe, expect, test } from 'vitest';
import { BACKOFF_MS, aFollower, askOf, fetched, holding } from './support/scripted-leader.ts';
import { ScriptedFollower } from './support/scripted-follower.ts';
import { Stage, wanted } from './support/stage.ts';
import type { StageOptions } from './support/stage.ts';

const aStage = (options: StageOptions = {}): Stage => new Stage(options).start();

/** A consumer's long poll at an offset; says what it was served, undefined while it waits. */
function consumer(stage: Stage, fetchOffset: number) {
  const partitions = [wanted(fetchOffset, { currentLeaderEpoch: -1, lastFetchedEpoch: -1, logStartOffset: -1 })];
  const fetch = stage.ask('ConsumerFetch', {
    ...{ replicaId: -1, replicaEpoch: -1, streamGeneration: 0, sequence: 0, maxWaitMs: 60_000, minBytes: 1 },
    ...{ maxBytes: 1_000_000, isolationLevel: 0, full: true, partitions, forgotten: [], rackId: '', leaderOnly: false },
  });
  return () => (fetch.value?.kind === 'ok' ? fetch.value.response.partitions[0] : undefined);
}

describe('repl R-18: whom an append wakes', () => {
  test('who reads to the log end, and nobody else while the high watermark stays', () => {
    const stage = aStage({ replicas: [1, 2] });
    const follower = new ScriptedFollower(stage, 2);
    follower.send([wanted(0)], { maxWaitMs: 60_000 });
    const served = consumer(stage, 0);
    const produced = stage.produce('A', { timeoutMs: 60_000 });
    stage.runFor(1000);
    expect(follower.answers).toHaveLength(1);
    expect([served(), produced.answer]).toEqual([undefined, undefined]);
  });
  test('consumers and produces too, if it moves the high watermark', () => {
    const stage = aStage({ replicas: [1], minIsr: 1 });
    const served = consumer(stage, 0);
    const produced = stage.produce('A');
    stage.until(() => produced.answer !== undefined && served() !== undefined, 100);
    expect(produced.answer).toMatchObject({ error: 'NONE', baseOffset: 0 });
    expect(served()).toMatchObject({ error: 'NONE', highWatermark: 1 });
  });
});

test('repl R-22: followers may fetch from the leader only', () => {
  const stage = aStage({ leader: 2 });
  const follower = new ScriptedFollower(stage, 3);
  expect(follower.poll(0)).toMatchObject({
    error: 'NOT_LEADER_OR_FOLLOWER',
    currentLeader: 2,
    records: Buffer.alloc(0),
  });
  expect(stage.seen('fetch.recorded')).toHaveLength(0);
});

test('repl R-58: while the ISR is too small a follower far behind the log end may join', () => {
  const stage = aStage({ replicas: [1, 2], isr: [1], minIsr: 2 });
  for (const value of ['A', 'B', 'C']) stage.produced(value, { acks: 1 });
  new ScriptedFollower(stage, 2).poll(0);
  stage.until(() => stage.controller.proposals.length === 1, 100);
  expect(stage.replica).toMatchObject({ highWatermark: 0, logEndOffset: 3, maximalIsr: [1, 2] });
});

test('repl R-75, R-111: a follower that restarts keeps what is above its high watermark, and asks by its epoch', () => {
  const { stage, leader } = holding(['m0', 'm1'], 1);
  stage.kill();
  stage.start();
  const asked = leader.requests.length;
  expect(stage.replica).toMatchObject({ logEndOffset: 2 });
  expect(askOf(leader.request(asked))).toMatchObject({ fetchOffset: 2, lastFetchedEpoch: 0 });
  leader.answer([fetched({ highWatermark: 2 })]);
  stage.until(() => stage.replica.highWatermark === 2, 1000);
  expect(stage.seen('log.truncated')).toHaveLength(0);
});

describe('repl R-80, I-27: a leader and a follower that are in different leader epochs', () => {
  test.each([
    ['FENCED_LEADER_EPOCH', 0],
    ['UNKNOWN_LEADER_EPOCH', 2],
  ] as const)('%s: the follower is told so, told nothing else, and does not count', (error, currentLeaderEpoch) => {
    const stage = aStage({ replicas: [1, 2] });
    stage.change({ leader: 1 });
    stage.produced('A', { acks: 1 });
    const follower = new ScriptedFollower(stage, 2);
    const told = { error, records: Buffer.alloc(0), divergingEpoch: null, highWatermark: -1 };
    expect(follower.poll(1, { currentLeaderEpoch, lastFetchedEpoch: 0 })).toMatchObject(told);
    expect(stage.replica).toMatchObject({ highWatermark: 0 });
    expect(stage.seen('fetch.recorded')).toHaveLength(0);
  });
});

test('repl T-22: behind an election a consumer above the high watermark is out of no range, one above the log end is', () => {
  const stage = aStage({ replicas: [1, 2] });
  stage.produced('A', { acks: 1 });
  stage.change({ leader: 1 });
  const above = consumer(stage, 1);
  const beyond = consumer(stage, 2);
  stage.until(() => above() !== undefined && beyond() !== undefined, 100);
  expect(above()).toMatchObject({ error: 'NONE', records: Buffer.alloc(0), highWatermark: 0 });
  expect(beyond()).toMatchObject({ error: 'OFFSET_OUT_OF_RANGE' });
});

test('repl T-33: a follower that heard of an election first waits replica.fetch.backoff.ms, and no longer', () => {
  const { stage, leader } = aFollower();
  leader.request(1);
  leader.answer([fetched({ error: 'UNKNOWN_LEADER_EPOCH', highWatermark: -1, logStartOffset: -1 })]);
  stage.runFor(BACKOFF_MS - 10);
  expect(leader.requests).toHaveLength(1);
  stage.runFor(20);
  expect(leader.requests).toHaveLength(2);
});
