// Faults that hold a step of a partition, and the order they keep (design section 6, repl R-9).
import { describe, expect, test } from 'vitest';
import type { FaultSpec } from '../../src/protocol/generated/index.ts';
import { aFollower, fetched, records, ScriptedLeader } from './support/scripted-leader.ts';
import { ScriptedFollower } from './support/scripted-follower.ts';
import { Stage, TOPIC_ID, wanted } from './support/stage.ts';
import { partitionChangeRecord } from '../../src/metadata/records.ts';

const hold = (point: string, nth = 1): FaultSpec => ({
  ...{ id: 'h', point, where: [], nth, times: 1, probability: 1, ttlMs: 0, owner: 'test' },
  action: { kind: 'hold', target: 'node', durationMs: 0, error: 'NONE', laterMs: 0 },
});

function held(stage: Stage, point: string): void {
  expect(stage.host.engine.arm(hold(point))).toBe('');
}

describe('log.append.leader', () => {
  test('nobody is woken before it is let go, though the log end has moved', () => {
    const stage = new Stage({ replicas: [1, 2] }).start();
    const follower = new ScriptedFollower(stage, 2);
    follower.send([wanted(0)], { maxWaitMs: 60_000 });
    stage.runFor(20);
    held(stage, 'log.append.leader');
    const first = stage.produce('a', { acks: 1 });
    stage.until(() => stage.replica.logEndOffset === 1);
    stage.runFor(100);
    expect(follower.answers).toHaveLength(0);
    expect(first.answer).toBeUndefined();
    const second = stage.produce('b', { acks: 1 });
    stage.runFor(100);
    expect(second.answer).toBeUndefined(); // It keeps the partition's queue.
    stage.host.engine.disarm('h');
    stage.until(() => first.answer !== undefined && second.answer !== undefined && follower.answers.length === 1, 100);
  });
  test('a new epoch waits for it, and the metadata offset with it', () => {
    const stage = new Stage({ replicas: [1, 2] }).start();
    held(stage, 'log.append.leader');
    const produced = stage.produce('a', { acks: 1 });
    stage.until(() => stage.replica.logEndOffset === 1);
    const before = stage.host.broker.metadataOffset;
    expect(() => stage.change({ leader: 2 })).toThrow('not within');
    stage.setFenced(3, true);
    stage.runFor(100);
    expect(stage.host.broker.metadataOffset).toBe(before);
    expect(stage.host.broker.image.brokers.get(3)).toMatchObject({ fenced: false }); // One delta at a time (repl R-101).
    expect(stage.produced('b', { acks: 1 })).toMatchObject({ error: 'NOT_LEADER_OR_FOLLOWER' });
    stage.host.engine.disarm('h');
    stage.untilApplied();
    stage.until(() => produced.answer !== undefined, 100);
    expect(produced.answer).toMatchObject({ error: 'NONE' });
    expect(stage.seen('follower.started')).toMatchObject([{ leaderEpoch: 1, fetchOffset: 1 }]);
  });
});

test('log.append.follower: the partition is not fetched while it is held; the others are', () => {
  const stage = new Stage({ leader: 2, isr: [2], partitions: 2 });
  const leader = new ScriptedLeader(stage, 2);
  stage.start();
  leader.request(1);
  held(stage, 'log.append.follower');
  leader.answer([fetched({ records: records(0, 0, 'a'), highWatermark: 1 }), fetched({ partition: 1 })]);
  expect(leader.request(2).forgotten).toMatchObject([{ partition: 0 }]);
  expect(stage.replica).toMatchObject({ logEndOffset: 1, highWatermark: 0 });
  stage.host.engine.disarm('h');
  expect(leader.request(3).partitions.some((at) => at.partition === 0 && at.fetchOffset === 1)).toBe(true);
  expect(stage.replica).toMatchObject({ highWatermark: 1 });
});

test('replica.fetch.received: the fetch counts when it is let go, unless a newer one has come', () => {
  const stage = new Stage({ replicas: [1, 2] }).start();
  stage.produced('a', { acks: 1 });
  held(stage, 'replica.fetch.received');
  const follower = new ScriptedFollower(stage, 2);
  follower.send([wanted(1)], { maxWaitMs: 0 });
  stage.runFor(50);
  expect(stage.replica).toMatchObject({ highWatermark: 0 });
  follower.send([wanted(0)], { maxWaitMs: 0 });
  stage.until(() => follower.answers.length === 1);
  stage.host.engine.disarm('h');
  stage.runFor(50);
  expect(follower.answers).toHaveLength(1);
  expect(stage.replica).toMatchObject({ highWatermark: 0, followers: [{ logEndOffset: 0 }] });
});

describe('replica.isr.expand', () => {
  test('held, nothing is proposed and nothing is pending; let go, it is checked again', () => {
    const stage = new Stage({ replicas: [1, 2], isr: [1], minIsr: 1 }).start();
    held(stage, 'replica.isr.expand');
    new ScriptedFollower(stage, 2).poll(0);
    stage.runFor(50);
    expect(stage.controller.proposals).toHaveLength(0);
    expect(stage.replica).toMatchObject({ maximalIsr: [1] });
    stage.setFenced(2, true);
    stage.untilApplied();
    stage.host.engine.disarm('h');
    stage.runFor(50);
    expect(stage.controller.proposals).toHaveLength(0);
  });
  test('held over a new epoch, it proposes nothing in the old one', () => {
    const stage = new Stage({ replicas: [1, 2], isr: [1], minIsr: 1 }).start();
    held(stage, 'replica.isr.expand');
    new ScriptedFollower(stage, 2).poll(0);
    stage.change({ leader: 1 });
    stage.host.engine.disarm('h');
    stage.runFor(50);
    expect(stage.controller.proposals).toHaveLength(0);
  });
});

const notify = (point: string): FaultSpec => ({
  ...hold(point, 0),
  ...{ id: point, times: 0 },
  action: { kind: 'notify', target: 'node', durationMs: 0, error: 'NONE', laterMs: 0 },
});

test('log.flushed, log.truncated: what became of a log is said with its fields', () => {
  const oneBatch = records(0, 0, 'a').length;
  const { stage, leader } = aFollower({ config: { 'log.segment.bytes': oneBatch } });
  for (const point of ['log.flushed', 'log.truncated']) expect(stage.host.engine.arm(notify(point))).toBe('');
  leader.request(1);
  leader.answer([fetched({ records: records(0, 0, 'a', 'b') })]);
  leader.request(2);
  leader.answer([fetched({ divergingEpoch: { epoch: 0, endOffset: 1 } })]);
  leader.request(3);
  expect(stage.seen('fault.fired').map(({ point, fields }) => ({ point, ...fields }))).toMatchObject([
    { point: 'log.flushed', topic: 'orders', partition: 0, leaderEpoch: 0, offset: 1 },
    { point: 'log.truncated', topic: 'orders', partition: 0, leaderEpoch: 0, from: 2, offset: 1 },
  ]);
});

test('observations: what happened is said with its fields', () => {
  const stage = new Stage({ replicas: [1, 2] }).start();
  for (const point of ['replica.hw.advanced', 'replica.epoch.fenced', 'replica.leader.started']) {
    expect(stage.host.engine.arm(notify(point))).toBe('');
  }
  stage.produced('a', { acks: 1 });
  const follower = new ScriptedFollower(stage, 2);
  follower.poll(1);
  stage.change({ leader: 1 });
  follower.poll(1);
  const fired = stage.seen('fault.fired').map(({ point, fields }) => ({ point, ...fields }));
  expect(fired).toMatchObject([
    { point: 'replica.hw.advanced', partition: 0, leaderEpoch: 0, offset: 1, role: 'leader' },
    { point: 'replica.leader.started', leaderEpoch: 1, offset: 1 },
    { point: 'replica.epoch.fenced', leaderEpoch: 1, from: 2 },
  ]);
});

describe('repl R-9, design section 4: a new epoch and what is under way', () => {
  test('it waits for an append that is reserved and not counted, and refuses new ones meanwhile', () => {
    const stage = new Stage({ replicas: [1, 2], writeMs: 50 }).start();
    const reserved = stage.produce('a', { acks: 1 });
    stage.runFor(20);
    stage.controller.commit(partitionChangeRecord({ topicId: TOPIC_ID, partition: 0 }, { leader: 2, reason: 'clean' }));
    stage.runFor(10);
    const refused = stage.produce('b', { acks: 1 });
    stage.untilApplied();
    stage.until(() => reserved.answer !== undefined && refused.answer !== undefined, 100);
    expect(reserved.answer).toMatchObject({ error: 'NONE', baseOffset: 0 });
    expect(refused.answer).toMatchObject({ error: 'NOT_LEADER_OR_FOLLOWER' });
    expect(stage.seen('follower.started')).toMatchObject([{ fetchOffset: 1 }]);
  });
  test('T-11: an answer that comes between the new epoch and its first request is ignored', () => {
    const stage = new Stage({ leader: 2, isr: [1, 2], partitions: 2 });
    const leader = new ScriptedLeader(stage, 2);
    stage.start();
    stage.change({ leader: 1 }, 1);
    leader.answer([fetched({ records: records(0, 0, 'a', 'b'), highWatermark: 2 })]);
    stage.until(() => stage.replica.highWatermark === 2);
    const asked = leader.requests.length;
    const old = leader.request(asked + 1);
    held(stage, 'log.append.leader'); // Holds the delta up, and with it the request for what it adds.
    stage.produce('x', { acks: 1, partition: 1 });
    stage.runFor(10);
    stage.controller.commit(
      partitionChangeRecord({ topicId: TOPIC_ID, partition: 1 }, { leader: 2, reason: 'clean' }),
      partitionChangeRecord({ topicId: TOPIC_ID, partition: 0 }, { leader: 2, reason: 'clean' }),
    );
    stage.until(() => stage.seen('follower.started').at(-1)?.leaderEpoch === 1, 100);
    expect(leader.requests.at(-1)).toBe(old);
    leader.answer([fetched({ divergingEpoch: { epoch: 0, endOffset: 0 } })], old);
    stage.runFor(10);
    expect(stage.replica.logEndOffset).toBe(2);
    expect(stage.seen('diverged')).toEqual([]);
  });
});
