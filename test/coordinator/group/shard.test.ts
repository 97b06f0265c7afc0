// Shards: who serves a group when, what is read from the log, and what becomes of what waits (wire G-1 to G-12).
import { describe, expect, test } from 'vitest';
import { encodeGroupKey, encodeGroupValue } from '../../../src/coordinator/group/group-record.ts';
import { readError, writeError } from '../../../src/coordinator/group/errors.ts';
import { encodeBatch } from '../../../src/log/encode-batch.ts';
import type { RecordData } from '../../../src/log/encode-batch.ts';
import { topicConfig } from '../../../src/protocol/config.ts';
import { Stage } from './support/stage.ts';

/** Puts records into the log as an earlier coordinator has. */
function write(stage: Stage, records: readonly RecordData[]): void {
  const { host } = stage;
  const refusal = host.logOf(0).appendAsLeader(
    {
      ...{ batch: encodeBatch(records), leaderEpoch: 0, now: host.runtime.clock.wallTime() },
      ...{ config: topicConfig(host.config, new Map()), origin: 'coordinator' },
    },
    () => undefined,
  );
  expect(refusal).toBeUndefined();
  stage.run();
}

test('wire G-1, G-4: a group belongs to the partition of its hash, and only its leader serves it', () => {
  const config = { 'offsets.topic.num.partitions': 50 };
  const stage = new Stage({ config, partitions: [42] });
  expect(stage.join({ groupId: 'g1' }).response?.error).toBe('MEMBER_ID_REQUIRED');
  expect(stage.join({ groupId: 'test-group' }).response?.error).toBe('NOT_COORDINATOR');
});

test('wire G-4: while a partition loads, heartbeats are taken for granted and nothing else is', () => {
  const stage = new Stage({ led: false });
  expect(stage.heartbeat().response?.error).toBe('NOT_COORDINATOR');
  stage.beginElection(0, 1);
  expect(stage.heartbeat({ memberId: 'm' }).response?.error).toBe('NONE');
  for (const call of [stage.sync(), stage.leave('m')])
    expect(call.response?.error).toBe('COORDINATOR_LOAD_IN_PROGRESS');
  expect(stage.describe().error).toBe('COORDINATOR_LOAD_IN_PROGRESS');
  expect(stage.list().error).toBe('COORDINATOR_LOAD_IN_PROGRESS');
  const deleted = stage.send('deleteGroups', { groupIds: ['g'] });
  expect(deleted.response?.groups).toEqual([{ groupId: 'g', error: 'COORDINATOR_LOAD_IN_PROGRESS' }]);
  stage.run();
  expect(stage.heartbeat({ memberId: 'm' }).response?.error).toBe('UNKNOWN_MEMBER_ID');
  stage.coordinator.stop();
  for (const call of [stage.heartbeat(), stage.sync({ groupId: '' }), stage.leave('m')]) {
    expect(call.response?.error).toBe('COORDINATOR_NOT_AVAILABLE');
  }
});

test('wire G-6: errors of the log, as clients hear them', () => {
  expect(writeError('REQUEST_TIMED_OUT')).toBe('COORDINATOR_NOT_AVAILABLE');
  expect(writeError('NOT_ENOUGH_REPLICAS')).toBe('COORDINATOR_NOT_AVAILABLE');
  expect(writeError('UNKNOWN_TOPIC_OR_PARTITION')).toBe('COORDINATOR_NOT_AVAILABLE');
  expect(writeError('NOT_LEADER_OR_FOLLOWER')).toBe('NOT_COORDINATOR');
  expect(writeError('KAFKA_STORAGE_ERROR')).toBe('NOT_COORDINATOR');
  expect(writeError('MESSAGE_TOO_LARGE')).toBe('UNKNOWN_SERVER_ERROR');
  expect(writeError('RECORD_LIST_TOO_LARGE')).toBe('UNKNOWN_SERVER_ERROR');
  expect(writeError('NETWORK_EXCEPTION')).toBe('COORDINATOR_LOAD_IN_PROGRESS');
  expect(writeError('INVALID_PRODUCER_EPOCH')).toBe('INVALID_PRODUCER_EPOCH');
  expect(readError('REQUEST_TIMED_OUT')).toBe('NOT_COORDINATOR');
  expect(readError('COORDINATOR_NOT_AVAILABLE')).toBe('COORDINATOR_NOT_AVAILABLE');
});

describe('wire G-7: when leadership ends', () => {
  test('what is parked is answered NOT_COORDINATOR, no timer acts any more, nothing more is written', () => {
    const stage = new Stage();
    const [leader, follower] = stage.stable(2);
    const { generationId } = stage.describe();
    const join = stage.join({ memberId: leader! });
    const other = stage.stable(1, { groupId: 'h' });
    const late = stage.newId({ groupId: 'h' });
    const parked = stage.join({ groupId: 'h', memberId: late });
    const records = stage.records().length;
    stage.resign(1);
    expect(join.response).toMatchObject({ error: 'NOT_COORDINATOR', memberId: leader });
    expect(parked.response).toMatchObject({ error: 'NOT_COORDINATOR', memberId: late });
    expect(stage.heartbeat({ memberId: follower!, generationId }).response?.error).toBe('NOT_COORDINATOR');
    expect(other).toHaveLength(1);
    stage.run(700_000);
    expect(stage.records()).toHaveLength(records);
    expect(stage.events.at(-1)).toMatchObject({ type: 'group.resigned', partition: 0, coordinatorEpoch: 1 });
  });

  test('writes and waits that are under way fail at once', () => {
    const stage = new Stage();
    const [memberId] = stage.stable();
    stage.host.freeze(true);
    const leave = stage.leave(memberId!);
    stage.run();
    const sync = stage.sync({ memberId: memberId! });
    const alive = stage.heartbeat({ groupId: 'h' });
    const other = stage.leave('x');
    stage.run();
    stage.coordinator.resigned(0, 2);
    expect([leave, other].map(({ response }) => response?.error)).toEqual(['NOT_COORDINATOR', 'NOT_COORDINATOR']);
    expect([sync, alive].map(({ response }) => response?.error)).toEqual(['UNKNOWN_MEMBER_ID', 'UNKNOWN_MEMBER_ID']);
  });

  test('requests that wait for their turn are refused', () => {
    const stage = new Stage();
    const first = stage.join({ groupId: 'one' });
    const second = stage.join({ groupId: 'two' });
    expect(first.response?.error).toBe('MEMBER_ID_REQUIRED');
    expect(second.response).toBeUndefined();
    stage.coordinator.resigned(0, undefined);
    expect(second.response).toMatchObject({ error: 'NOT_COORDINATOR', memberId: '' });
  });

  test('BUG-15: a deposed coordinator does not take what its successor commits for its own', () => {
    const stage = new Stage();
    const [memberId] = stage.stable();
    stage.host.freeze(true);
    const leave = stage.leave(memberId!);
    stage.run();
    // The log lives on under another leader, whose high watermark covers the same offsets; nobody has told the shard yet.
    stage.host.depose(0);
    stage.host.logOf(0).setHighWatermark(stage.host.logOf(0).logEndOffset);
    stage.run();
    expect(leave.response?.error).toBe('NOT_COORDINATOR');
  });

  test('a resignation that a later election has overtaken changes nothing', () => {
    const stage = new Stage();
    stage.elect(3);
    stage.coordinator.resigned(0, 2);
    expect(stage.join().response?.error).toBe('MEMBER_ID_REQUIRED');
    stage.coordinator.elected(0, 2);
    expect(stage.join().response).toBeUndefined();
    stage.run();
  });
});

describe('wire G-8: the order of steps', () => {
  test('a step sees what was appended before it: the next request waits until that is in the log', () => {
    const stage = new Stage();
    const first = stage.join({ groupId: 'one' });
    const second = stage.join({ groupId: 'one', memberId: first.response!.memberId });
    expect(second.response).toBeUndefined();
    expect(stage.list().groups).toEqual([]);
    stage.run();
    expect(second.response).toMatchObject({ error: 'NONE', generationId: 1 });
  });

  test('a group that is not committed does not exist for those who ask, one whose end is not committed does', () => {
    const stage = new Stage();
    stage.host.freeze(true);
    const join = stage.join({ version: 3 });
    stage.run();
    expect(join.response?.error).toBe('NONE');
    expect(stage.describe()).toMatchObject({ error: 'NONE', state: 'Dead' });
    expect(stage.list().groups).toEqual([]);
    stage.host.freeze(false);
    stage.run();
    // Its state is as it is now, though.
    expect(stage.describe().state).toBe('CompletingRebalance');
    stage.leave(join.response!.memberId);
    stage.run();
    stage.host.freeze(true);
    const deleted = stage.send('deleteGroups', { groupIds: ['g'] });
    stage.run();
    expect(deleted.response).toBeUndefined();
    expect(stage.describe().state).toBe('Empty');
    expect(stage.list().groups).toEqual([{ groupId: 'g', protocolType: 'consumer', state: 'Empty' }]);
    stage.host.freeze(false);
    stage.run();
    expect(deleted.response?.groups).toEqual([{ groupId: 'g', error: 'NONE' }]);
    expect(stage.describe().state).toBe('Dead');
    expect(stage.list().groups).toEqual([]);
  });
});

describe('wire G-11: what a new coordinator reads', () => {
  test('a stable group as it was, with fresh sessions', () => {
    const stage = new Stage();
    const ids = stage.stable(2, { groupInstanceId: '' });
    const before = stage.describe();
    stage.run(5000);
    stage.failOver(3);
    expect(stage.describe()).toEqual(before);
    expect(stage.events.at(-1)).toEqual({
      ...{ type: 'group.state', partition: 0, coordinatorEpoch: 3, group: 'g', state: 'Stable' },
      ...{ generation: before.generationId, members: ids },
    });
    const { generationId } = before;
    const [leader, follower] = ids;
    stage.run(9000);
    const calls = ids.map((memberId) => stage.heartbeat({ memberId, generationId }));
    expect(calls.map(({ response }) => response?.error)).toEqual(['NONE', 'NONE']);
    expect(stage.sync({ memberId: follower!, generationId }).response?.assignment.toString()).toBe('a:1');
    const join = stage.join({ memberId: follower! });
    expect(join.response).toMatchObject({ error: 'NONE', leader, generationId });
    stage.run(10_100);
    expect(stage.describe().state).toBe('Empty');
  });

  test('a generation without assignments is lost: its members join again', () => {
    const stage = new Stage();
    const [leader] = stage.stable();
    const again = stage.join({ memberId: leader! });
    expect(again.response?.generationId).toBe(2);
    stage.failOver(3);
    expect(stage.heartbeat({ memberId: leader!, generationId: 2 }).response?.error).toBe('ILLEGAL_GENERATION');
    expect(stage.describe()).toMatchObject({ state: 'Stable', generationId: 1 });
  });

  test('an empty group, a deleted one, and one that exists by its offsets alone', () => {
    const stage = new Stage({ led: false });
    const key = (version: number, ...texts: readonly string[]): Buffer => {
      const parts = texts.map((text) => Buffer.concat([Buffer.from([0, text.length]), Buffer.from(text)]));
      return Buffer.concat([Buffer.from([0, version]), ...parts, Buffer.alloc(4)]);
    };
    const value = encodeGroupValue({
      ...{ protocolType: 'connect', generation: 4, protocol: '', leader: '', stateSince: 5, members: [] },
    });
    const offset = Buffer.alloc(26);
    offset.writeInt16BE(3, 0);
    write(stage, [
      { timestamp: 1, key: encodeGroupKey('empty'), value },
      { timestamp: 1, key: encodeGroupKey('gone'), value },
      { timestamp: 1, key: encodeGroupKey('gone'), value: null },
      { timestamp: 1, key: key(1, 'simple', 'topic'), value: offset },
      // Of kinds that are not known: passed over with a warning (G-9).
      { timestamp: 1, key: key(3, 'modern'), value: Buffer.alloc(4) },
      { timestamp: 1, key: encodeGroupKey('future'), value: Buffer.from([0, 9]) },
      { timestamp: 1, key: encodeGroupKey('cut'), value: Buffer.from([0, 3, 0]) },
      { timestamp: 1, key: Buffer.from([0]), value: null },
    ]);
    stage.elect(1);
    expect(stage.list().groups).toEqual([
      { groupId: 'empty', protocolType: 'connect', state: 'Empty' },
      { groupId: 'simple', protocolType: '', state: 'Empty' },
    ]);
    expect(stage.describe('empty').generationId).toBe(4);
    expect(stage.events.filter(({ type }) => type === 'log.line')).toHaveLength(4);
    expect(stage.events).toContainEqual({
      ...{ type: 'group.loaded', partition: 0, coordinatorEpoch: 1, groups: ['empty', 'simple'] },
    });
    expect(stage.observed).toContainEqual({
      ...{ point: 'group.load.finished', fields: { partition: 0, coordinatorEpoch: 1 } },
    });
  });

  test('a group that has become too large joins again', () => {
    const stage = new Stage();
    stage.stable(2);
    stage.resign(1);
    Object.assign(stage.host, { config: { ...stage.host.config, 'group.max.size': 1 } });
    stage.elect(3);
    expect(stage.describe().state).toBe('PreparingRebalance');
  });

  test('a log that cannot be read is not served', () => {
    const stage = new Stage({ led: false });
    const record = { timestamp: 1, key: encodeGroupKey('g'), value: null };
    const batch = encodeBatch([record], { attributes: 1 });
    stage.host.logOf(0).appendAsLeader(
      {
        ...{ batch, leaderEpoch: 0, now: 1, origin: 'coordinator' },
        config: topicConfig(stage.host.config, new Map()),
      },
      () => undefined,
    );
    stage.elect(1);
    expect(stage.join().response?.error).toBe('NOT_COORDINATOR');
    expect(stage.events.at(-1)).toMatchObject({ type: 'log.line', level: 'error' });
  });
});

test('a write that may still reach the log makes the shard read it again', () => {
  const stage = new Stage();
  const [memberId] = stage.stable();
  const write = stage.host.write.bind(stage.host);
  stage.host.write = (shard, batch, options, on) => {
    stage.host.runtime.clock.after(1, () => on.failed('REQUEST_TIMED_OUT', true));
    stage.host.write = write;
    write(shard, batch, options, { appended: (_info, proceed) => proceed(), committed: () => {}, failed: () => {} });
  };
  const leave = stage.leave(memberId!);
  stage.run();
  expect(leave.response?.error).toBe('COORDINATOR_NOT_AVAILABLE');
  expect(stage.describe()).toMatchObject({ state: 'Empty', generationId: 2 });
});
