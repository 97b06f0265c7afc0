// Who joins the ISR of a leader, who leaves it, and how proposals are sent.
import { describe, expect, test } from 'vitest';
import { ScriptedFollower } from './support/scripted-follower.ts';
import { registrationChangeRecord } from '../../src/metadata/records.ts';
import { Stage, wanted } from './support/stage.ts';
import type { StageOptions } from './support/stage.ts';

const aStage = (options: StageOptions = {}): Stage => new Stage(options).start();

describe('repl R-56, R-57: who joins the ISR', () => {
  test('T-18, R-81: not before it has reached the start of the epoch', () => {
    const stage = aStage({ replicas: [1, 2], isr: [1], minIsr: 1 });
    stage.produced('A', { acks: 1 });
    stage.change({ leader: 1 });
    expect(stage.seen('leader.started').at(-1)).toMatchObject({ leaderEpoch: 1, epochStart: 1 });
    const follower = new ScriptedFollower(stage, 2);
    follower.poll(0, { currentLeaderEpoch: 1 });
    stage.runFor(50);
    expect(stage.controller.proposals).toHaveLength(0);
    follower.poll(1, { currentLeaderEpoch: 1 });
    stage.until(() => stage.controller.proposals.length === 1, 100);
    const { request } = stage.controller.proposals[0]!;
    expect(request).toMatchObject({ brokerId: 1, brokerEpoch: stage.host.broker.brokerEpoch });
    expect(request.partitions[0]).toMatchObject({ leaderEpoch: 1, partitionEpoch: 1 });
    expect(request.partitions[0]!.newIsr).toEqual([
      { brokerId: 1, brokerEpoch: stage.host.broker.brokerEpoch },
      { brokerId: 2, brokerEpoch: stage.epochOf(2) },
    ]);
  });
  test('R-81: nor while it is behind the start of the epoch, though ahead of the high watermark', () => {
    const stage = aStage({ isr: [1, 3], minIsr: 1 });
    for (const value of ['A', 'B']) stage.produced(value, { acks: 1 });
    stage.change({ leader: 1 });
    expect(stage.replica).toMatchObject({ highWatermark: 0, logEndOffset: 2 });
    const follower = new ScriptedFollower(stage, 2);
    follower.poll(1, { currentLeaderEpoch: 1 });
    stage.runFor(50);
    expect(stage.controller.proposals).toHaveLength(0);
    follower.poll(2, { currentLeaderEpoch: 1 });
    stage.until(() => stage.controller.proposals.length === 1, 100);
  });
  test('not while it is fenced, though its fetches count (T-32)', () => {
    const stage = aStage({ replicas: [1, 2], isr: [1], minIsr: 1 });
    stage.setFenced(2, true);
    stage.untilApplied();
    const follower = new ScriptedFollower(stage, 2);
    follower.poll(0);
    stage.runFor(50);
    expect(stage.controller.proposals).toHaveLength(0);
    expect(stage.replica.followers).toMatchObject([{ brokerId: 2, logEndOffset: 0 }]);
  });
  test('not below the high watermark, though past the start of the epoch', () => {
    const stage = aStage({ isr: [1, 3], minIsr: 1 });
    for (const value of ['A', 'B']) stage.produced(value, { acks: 1 });
    new ScriptedFollower(stage, 3).poll(2);
    expect(stage.replica).toMatchObject({ highWatermark: 2 });
    const follower = new ScriptedFollower(stage, 2);
    follower.poll(1);
    stage.runFor(50);
    expect(stage.controller.proposals).toHaveLength(0);
    follower.poll(2);
    stage.until(() => stage.controller.proposals.length === 1, 100);
  });
  test('not while it is in controlled shutdown', () => {
    const stage = aStage({ replicas: [1, 2], isr: [1], minIsr: 1 });
    const registration = stage.controller.image.brokers.get(2)!;
    stage.commit(registrationChangeRecord(registration, { inControlledShutdown: true }));
    new ScriptedFollower(stage, 2).poll(0);
    stage.runFor(50);
    expect(stage.controller.proposals).toHaveLength(0);
  });
  test.each([
    { epoch: 'newer than the one registered, as far as the leader knows', by: 100, proposals: 0 },
    { epoch: 'as registered', by: 0, proposals: 1 },
  ])('KIP-903: broker epoch $epoch: $proposals', ({ by, proposals }) => {
    const stage = aStage({ replicas: [1, 2], isr: [1], minIsr: 1 });
    new ScriptedFollower(stage, 2).fetch(0, {}, { maxWaitMs: 0, replicaEpoch: stage.epochOf(2) + by });
    stage.runFor(50);
    expect(stage.controller.proposals).toHaveLength(proposals);
    expect(stage.replica.followers).toMatchObject([{ logEndOffset: 0 }]);
  });
  test('KIP-903: a follower that says no broker epoch is taken, and proposed as it said', () => {
    const stage = aStage({ replicas: [1, 2], isr: [1], minIsr: 1 });
    new ScriptedFollower(stage, 2).fetch(0, {}, { maxWaitMs: 0, replicaEpoch: -1 });
    stage.until(() => stage.controller.proposals.length === 1, 100);
    const [entry] = stage.controller.proposals[0]!.request.partitions;
    expect(entry!.newIsr).toMatchObject([{ brokerId: 1 }, { brokerId: 2, brokerEpoch: -1 }]);
  });
  test('repl R-59: one request in flight, whatever the number of partitions', () => {
    const stage = aStage({ replicas: [1, 2], isr: [1], minIsr: 1, partitions: 2 });
    const follower = new ScriptedFollower(stage, 2);
    follower.send([wanted(0)], { maxWaitMs: 0 });
    follower.send([wanted(0), wanted(0, { partition: 1 })], { maxWaitMs: 0 });
    stage.runFor(50);
    expect(stage.controller.proposals).toHaveLength(1);
    const ineligible = stage.altered({ error: 'INELIGIBLE_REPLICA' });
    stage.controller.proposals[0]!.answer({ error: 'NONE', partitions: [ineligible] });
    stage.until(() => stage.controller.proposals.length === 2, 100);
    expect(stage.controller.proposals[1]!.request.partitions).toMatchObject([{ partition: 1 }]);
  });
  test('repl R-61: one NOT_CONTROLLER, and the whole request is sent again', () => {
    const stage = aStage({ replicas: [1, 2], isr: [1], minIsr: 1 });
    new ScriptedFollower(stage, 2).poll(0);
    stage.until(() => stage.controller.proposals.length === 1, 100);
    const [first] = stage.controller.proposals;
    first!.answer({ error: 'NONE', partitions: [stage.altered({ error: 'NOT_CONTROLLER' })] });
    const askedAt = stage.world.now;
    stage.until(() => stage.controller.proposals.length === 2, 1000);
    expect(stage.world.now - askedAt).toBeGreaterThanOrEqual(50);
    expect(stage.controller.proposals[1]!.request.partitions).toEqual(first!.request.partitions);
    expect(stage.replica).toMatchObject({ maximalIsr: [1, 2] });
  });
  test('one proposal at a time: the second waits for the first', () => {
    const stage = aStage({ replicas: [1, 2, 3], isr: [1], minIsr: 1 });
    const [second, third] = [new ScriptedFollower(stage, 2), new ScriptedFollower(stage, 3)];
    second.poll(0);
    third.poll(0);
    stage.runFor(50);
    expect(stage.controller.proposals).toHaveLength(1);
    expect(stage.replica.maximalIsr).toEqual([1, 2]);
    const ineligible = stage.altered({ error: 'INELIGIBLE_REPLICA' });
    stage.controller.proposals[0]!.answer({ error: 'NONE', partitions: [ineligible] });
    stage.until(() => stage.replica.maximalIsr.length === 1, 100);
    third.poll(0);
    stage.until(() => stage.controller.proposals.length === 2, 100);
  });
  test("repl R-59: while an older epoch's proposal is unanswered, a new one fails here and rolls back", () => {
    const stage = aStage({ replicas: [1, 2], isr: [1], minIsr: 1 });
    const follower = new ScriptedFollower(stage, 2);
    follower.poll(0);
    stage.until(() => stage.controller.proposals.length === 1, 100);
    stage.change({ leader: 1 });
    follower.poll(0, { currentLeaderEpoch: 1 });
    stage.until(() => stage.replica.maximalIsr.length === 1, 100);
    expect(stage.seen('isr').map(({ leaderEpoch, state }) => `${leaderEpoch} ${state}`)).toEqual([
      ...['0 pending-expand', '1 pending-expand', '1 committed'],
    ]);
    const late = stage.altered({ isr: [1, 2], leaderEpoch: 0, partitionEpoch: 1 });
    stage.controller.proposals[0]!.answer({ error: 'NONE', partitions: [late] });
    stage.runFor(50);
    expect(stage.replica.isr).toEqual([1]);
    follower.poll(0, { currentLeaderEpoch: 1 });
    stage.until(() => stage.controller.proposals.length === 2, 100);
    expect(stage.controller.proposals[1]!.request.partitions).toMatchObject([{ leaderEpoch: 1, partitionEpoch: 1 }]);
  });
  test('repl R-61: an error of the whole request is answered by the same proposal after 50 ms', () => {
    const stage = aStage({ replicas: [1, 2], isr: [1], minIsr: 1 });
    new ScriptedFollower(stage, 2).poll(0);
    stage.until(() => stage.controller.proposals.length === 1, 100);
    stage.controller.proposals[0]!.answer({ error: 'STALE_BROKER_EPOCH', partitions: [] });
    const askedAt = stage.world.now;
    stage.until(() => stage.controller.proposals.length === 2, 1000);
    expect(stage.world.now - askedAt).toBeGreaterThanOrEqual(50);
    expect(stage.controller.proposals[1]!.request.partitions).toEqual(
      stage.controller.proposals[0]!.request.partitions,
    );
  });
});

describe('repl R-55: who leaves the ISR', () => {
  const config = { 'replica.lag.time.max.ms': 1000 };
  test('whoever has not caught up for the lag time, all at once, and never the leader', () => {
    const stage = aStage({ config, minIsr: 1 });
    stage.produced('A', { acks: 1 });
    const ledAt = stage.world.now;
    stage.until(() => stage.controller.proposals.length === 1, 2000);
    expect(stage.world.now).toBeGreaterThan(1000);
    expect(stage.world.now - ledAt).toBeLessThan(1600); // At most 1.5 times the lag time, and the way to the controller.
    expect(stage.controller.proposals[0]!.request.partitions[0]!.newIsr).toMatchObject([{ brokerId: 1 }]);
    expect(stage.replica).toMatchObject({ isr: [1, 2, 3], maximalIsr: [1, 2, 3], highWatermark: 0 });
    const answer = stage.altered({ isr: [1], partitionEpoch: 1 });
    stage.controller.proposals[0]!.answer({ error: 'NONE', partitions: [answer] });
    stage.until(() => stage.replica.highWatermark === 1, 100);
  });
  test('T-19: not a dead one that holds all there is', () => {
    const stage = aStage({ config, replicas: [1, 2] });
    new ScriptedFollower(stage, 2).poll(0);
    stage.runFor(10_000);
    expect(stage.controller.proposals).toHaveLength(0);
  });
});

describe('repl R-44: whom the high watermark waits for', () => {
  test('R-82: a candidate counts from its proposal on, however far behind it is', () => {
    const stage = aStage({ isr: [1, 3], minIsr: 1 });
    for (const value of ['A', 'B']) stage.produced(value, { acks: 1 });
    new ScriptedFollower(stage, 2).poll(0);
    stage.until(() => stage.replica.maximalIsr.length === 3, 100);
    new ScriptedFollower(stage, 3).poll(2);
    expect(stage.replica).toMatchObject({ isr: [1, 3], highWatermark: 0 });
  });
  test('T-2: one that is caught up and could join is waited for, though it is not even proposed', () => {
    const stage = aStage({ isr: [1], minIsr: 1 });
    const [second, third] = [new ScriptedFollower(stage, 2), new ScriptedFollower(stage, 3)];
    second.poll(0);
    third.poll(0);
    stage.produced('A', { acks: 1 });
    second.poll(1);
    expect(stage.replica).toMatchObject({ maximalIsr: [1, 2], highWatermark: 0 });
    third.poll(1);
    expect(stage.replica).toMatchObject({ maximalIsr: [1, 2], highWatermark: 1 });
  });
  test('T-2: a fenced one is not', () => {
    const stage = aStage({ isr: [1], minIsr: 1 });
    stage.setFenced(3, true);
    stage.untilApplied();
    const [second, third] = [new ScriptedFollower(stage, 2), new ScriptedFollower(stage, 3)];
    second.poll(0);
    third.poll(0);
    stage.produced('A', { acks: 1 });
    second.poll(1);
    expect(stage.replica).toMatchObject({ maximalIsr: [1, 2], highWatermark: 1 });
  });
});
