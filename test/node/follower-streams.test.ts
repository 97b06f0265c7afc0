// The leader's side of fetch streams: which of a follower's streams is served, and one request at a time.
import { describe, expect, test } from 'vitest';
import { ScriptedFollower } from './support/scripted-follower.ts';
import { Stage, wanted } from './support/stage.ts';
import { registerBrokerRecord } from '../../src/metadata/records.ts';
import { isNewer } from '../../src/node/follower-streams.ts';

const aStage = (): Stage => new Stage({ replicas: [1, 2] }).start();
const PARK = { maxWaitMs: 60_000 };

describe('repl T-28: only the newest stream of a follower is served', () => {
  test('streams are ordered by broker epoch, then generation', () => {
    expect(isNewer({ brokerEpoch: 2, generation: 1 }, { brokerEpoch: 1, generation: 9 })).toBe(true);
    expect(isNewer({ brokerEpoch: 1, generation: 2 }, { brokerEpoch: 1, generation: 1 })).toBe(true);
    expect(isNewer({ brokerEpoch: 1, generation: 1 }, { brokerEpoch: 1, generation: 1 })).toBe(false);
    expect(isNewer({ brokerEpoch: 1, generation: 9 }, { brokerEpoch: 2, generation: 1 })).toBe(false);
  });
  test('a late message of an older generation changes nothing and is not answered; its stream ends', () => {
    const stage = aStage();
    stage.produced('A', { acks: 1 });
    stage.produced('B', { acks: 1 });
    const old = new ScriptedFollower(stage, 2, 1);
    const young = new ScriptedFollower(stage, 2, 2);
    young.poll(2);
    expect(stage.replica).toMatchObject({ highWatermark: 2, followers: [{ logEndOffset: 2 }] });
    old.send([wanted(0)]);
    stage.until(() => old.closed !== undefined);
    expect(old.closed).toEqual({ reason: undefined });
    expect(old.answers).toHaveLength(0);
    expect(stage.replica.followers).toMatchObject([{ logEndOffset: 2 }]);
  });
  test('the newer generation ends what the older one has parked, unanswered', () => {
    const stage = aStage();
    const old = new ScriptedFollower(stage, 2, 1);
    old.send([wanted(0)], PARK);
    stage.runFor(20);
    const young = new ScriptedFollower(stage, 2, 2);
    young.send([wanted(0)], PARK);
    stage.until(() => old.closed !== undefined, 100);
    stage.produced('A', { acks: 1 });
    stage.until(() => young.answers.length === 1);
    expect(old.answers).toHaveLength(0);
  });
  test('a restarted follower begins at generation 1 again, with a newer broker epoch', () => {
    const stage = aStage();
    new ScriptedFollower(stage, 2, 8).poll(0);
    stage.register(2, 'another process');
    stage.untilApplied();
    expect(new ScriptedFollower(stage, 2, 1).poll(0)).toMatchObject({ error: 'NONE' });
  });
  test('repl R-24 row 11: an old process of an unfenced follower is refused, and not recorded', () => {
    const stage = aStage();
    const old = { replicaEpoch: stage.epochOf(2), maxWaitMs: 0 };
    stage.register(2, 'another process');
    stage.untilApplied();
    const fetched = new ScriptedFollower(stage, 2).fetch(0, {}, old);
    expect(fetched).toMatchObject({ error: 'NOT_LEADER_OR_FOLLOWER', highWatermark: -1, currentLeader: 1 });
    expect(stage.replica.followers).toMatchObject([{ logEndOffset: -1 }]);
  });
  test('repl R-24 row 11: what an old process has parked is answered: it was recorded when it came', () => {
    const stage = aStage();
    const old = new ScriptedFollower(stage, 2);
    old.send([wanted(0)], PARK);
    stage.runFor(20);
    stage.register(2, 'another process');
    stage.untilApplied();
    stage.produced('A', { acks: 1 });
    stage.until(() => old.answers.length === 1, 100);
    expect(old.answers[0]!.partitions).toMatchObject([{ error: 'NONE' }]);
    expect(stage.seen('fetch.recorded')).toHaveLength(1);
  });
  test('T-32: nor is a fenced follower refused, whatever process has registered since', () => {
    const stage = aStage();
    const old = { replicaEpoch: stage.epochOf(2), maxWaitMs: 0 };
    const brokerEpoch = stage.controller.image.endOffset;
    stage.commit(registerBrokerRecord({ id: 2, incarnationId: 'next', brokerEpoch, fenced: true }, []));
    expect(new ScriptedFollower(stage, 2).fetch(0, {}, old)).toMatchObject({ error: 'NONE' });
    expect(stage.replica.followers).toMatchObject([{ logEndOffset: 0 }]);
  });
});

describe('one request at a time (design section 5)', () => {
  test('a newer request ends the parked one at once, unanswered', () => {
    const stage = aStage();
    const follower = new ScriptedFollower(stage, 2);
    follower.send([wanted(0)], PARK);
    stage.runFor(20);
    follower.send([wanted(0)], { maxWaitMs: 0 });
    stage.until(() => follower.answers.length === 1, 100);
    expect(follower.answers[0]).toMatchObject({ sequence: 1, streamGeneration: 1 });
  });
  test('a repeated sequence is dropped', () => {
    const stage = aStage();
    const follower = new ScriptedFollower(stage, 2);
    follower.poll(0);
    follower.send([wanted(0)], { sequence: 0, maxWaitMs: 0 });
    stage.runFor(100);
    expect(follower.answers).toHaveLength(1);
  });
  test('an answer leaves out what is no news; unlisted partitions are fetched all the same', () => {
    const stage = aStage();
    const follower = new ScriptedFollower(stage, 2);
    follower.poll(0);
    const idle = { full: false, maxWaitMs: 0 };
    follower.send([], idle);
    stage.until(() => follower.answers.length === 2);
    expect(follower.answers[1]!.partitions).toEqual([]);
    stage.produced('A', { acks: 1 });
    follower.send([], idle);
    stage.until(() => follower.answers.length === 3);
    expect(follower.answers[2]!.partitions).toMatchObject([{ partition: 0, error: 'NONE' }]);
    expect(follower.answers[2]!.partitions[0]!.records.length).toBeGreaterThan(0);
  });
  test('half-closed, a parked request is answered at once, then the stream ends', () => {
    const stage = aStage();
    const follower = new ScriptedFollower(stage, 2);
    follower.send([wanted(0)], PARK);
    stage.runFor(20);
    follower.end();
    stage.until(() => follower.closed !== undefined, 100);
    expect(follower.answers).toMatchObject([{ error: 'NONE', partitions: [{ error: 'NONE' }] }]);
    expect(follower.closed).toEqual({ reason: undefined });
  });
  test('a stream that does not begin with a full request is told so', () => {
    const stage = aStage();
    const follower = new ScriptedFollower(stage, 2);
    follower.send([wanted(0)], { full: false });
    stage.until(() => follower.answers.length === 1);
    expect(follower.answers[0]).toMatchObject({ error: 'FETCH_SESSION_ID_NOT_FOUND', partitions: [] });
  });
});
