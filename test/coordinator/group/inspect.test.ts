// What people ask of groups, deleting them, and what offsets ask (wire G-32, G-37 to G-40, G-44).
import { describe, expect, test } from 'vitest';
import type { Shard } from '../../../src/coordinator/group/shard.ts';
import { membershipOnly } from './support/membership-only.ts';
import { Stage, subscription } from './support/stage.ts';

describe('wire G-38: DescribeGroups', () => {
  test('a group that does not exist is Dead; the empty name is asked like any other (G-5)', () => {
    const stage = new Stage();
    const nothing = { error: 'NONE', state: 'Dead', protocolType: '', protocol: '', generationId: 0, members: [] };
    expect(stage.send('describeGroups', { groupIds: ['a', ''] }).response?.groups).toEqual([
      { groupId: 'a', ...nothing },
      { groupId: '', ...nothing },
    ]);
  });

  test('Stable: with protocol, what members say and what they are assigned; else without', () => {
    const stage = new Stage();
    const [memberId] = stage.stable();
    const member = { memberId, groupInstanceId: '', clientId: 'client', clientHost: '/127.0.0.1' };
    expect(stage.describe()).toEqual({
      ...{ groupId: 'g', error: 'NONE', state: 'Stable', protocolType: 'consumer', protocol: 'range', generationId: 1 },
      members: [{ ...member, metadata: Buffer.from('range'), assignment: Buffer.from('a:0') }],
    });
    stage.join({ version: 3 });
    const { state, protocol, members } = stage.describe();
    expect([state, protocol]).toEqual(['PreparingRebalance', '']);
    expect(members[0]).toEqual({ ...member, metadata: Buffer.alloc(0), assignment: Buffer.alloc(0) });
  });
});

describe('wire G-39: ListGroups', () => {
  test('filters by state and type, whatever their case; names that mean nothing match nothing', () => {
    const stage = new Stage();
    stage.stable(1, { groupId: 'a' });
    stage.newId({ groupId: 'b' });
    const ids = (request: Parameters<Stage['list']>[0]): readonly string[] =>
      stage.list(request).groups.map(({ groupId }) => groupId);
    expect(ids({})).toEqual(['a', 'b']);
    expect(ids({ states: ['STABLE'] })).toEqual(['a']);
    expect(ids({ states: ['empty', 'stable'] })).toEqual(['a', 'b']);
    expect(ids({ states: ['nonsense'] })).toEqual([]);
    expect(ids({ types: ['Classic'] })).toEqual(['a', 'b']);
    expect(ids({ types: ['consumer'] })).toEqual([]);
    stage.coordinator.stop();
    expect(stage.list()).toEqual({ error: 'COORDINATOR_NOT_AVAILABLE', groups: [] });
  });

  test('goes over all partitions', () => {
    const config = { 'offsets.topic.num.partitions': 50 };
    const stage = new Stage({ config, partitions: [42, 12] });
    for (const groupId of ['g1', 'test-group', 'my-group']) stage.newId({ groupId });
    stage.run();
    expect(stage.list().groups.map(({ groupId }) => groupId)).toEqual(['test-group', 'my-group', 'g1']);
  });
});

describe('wire G-37: DeleteGroups', () => {
  test('only a group without members; a name given twice is answered once', () => {
    const stage = new Stage();
    stage.stable(1, { groupId: 'full' });
    const pending = stage.newId({ groupId: 'empty' });
    const call = stage.send('deleteGroups', { groupIds: ['full', 'none', 'empty', 'empty'] });
    stage.run();
    expect(call.response?.groups).toEqual([
      { groupId: 'full', error: 'NON_EMPTY_GROUP' },
      { groupId: 'none', error: 'GROUP_ID_NOT_FOUND' },
      { groupId: 'empty', error: 'NONE' },
    ]);
    expect(stage.records().at(-1)).toMatchObject({ key: Buffer.from('00020005656d707479', 'hex'), value: null });
    expect(stage.join({ groupId: 'empty', memberId: pending }).response?.error).toBe('UNKNOWN_MEMBER_ID');
    expect(stage.send('deleteGroups', { groupIds: [] }).response?.groups).toEqual([]);
    stage.failOver(3);
    expect(stage.list().groups.map(({ groupId }) => groupId)).toEqual(['full']);
  });

  test('is answered when it is durable, or says why it is not', () => {
    const stage = new Stage();
    stage.newId();
    stage.host.refusals.push('KAFKA_STORAGE_ERROR');
    const refused = stage.send('deleteGroups', { groupIds: ['g'] });
    stage.run();
    expect(refused.response?.groups).toEqual([{ groupId: 'g', error: 'NOT_COORDINATOR' }]);
    stage.host.freeze(true);
    const late = stage.send('deleteGroups', { groupIds: ['g'] });
    stage.run(5100);
    expect(late.response?.groups).toEqual([{ groupId: 'g', error: 'COORDINATOR_NOT_AVAILABLE' }]);
    // What was appended stays (G-8).
    expect(stage.send('deleteGroups', { groupIds: ['g'] }).response?.groups[0]?.error).toBe('GROUP_ID_NOT_FOUND');
  });
});

describe('what offsets ask of groups', () => {
  /** A stage whose one shard can be reached into. */
  function opened(config: Readonly<Record<string, unknown>> = {}): { stage: Stage; shard: Shard } {
    const stage = new Stage({ config, led: false });
    const { directory, coordinator } = membershipOnly(stage.host);
    stage.coordinator = coordinator;
    coordinator.start();
    stage.elect(1);
    const shard = directory.find(0);
    if (typeof shard === 'string') throw new Error(shard);
    return { stage, shard };
  }
  const nobody = { generationId: -1, memberId: '', groupInstanceId: '' };

  test('wire G-32, G-44: from outside a group, or into one that does not exist', () => {
    const { stage, shard } = opened();
    const check = (kind: 'plain' | 'transactional', from = {}): string =>
      shard.groups.checkCommit('g', { ...nobody, ...from }, kind);
    expect([check('plain'), check('transactional')]).toEqual(['NONE', 'NONE']);
    expect(check('plain', { generationId: 0 })).toBe('GROUP_ID_NOT_FOUND');
    expect(check('transactional', { generationId: 0 })).toBe('ILLEGAL_GENERATION');
    const memberId = stage.newId();
    expect([check('plain'), check('transactional')]).toEqual(['NONE', 'NONE']);
    expect(check('plain', { memberId: 'm' })).toBe('NONE');
    expect(check('plain', { memberId: 'm', generationId: 0 })).toBe('UNKNOWN_MEMBER_ID');
    stage.join({ memberId });
    stage.run();
    expect([check('plain'), check('transactional')]).toEqual(['UNKNOWN_MEMBER_ID', 'NONE']);
  });

  test('wire G-32, G-44: member, name and generation must be right; Completing refuses the plain ones', () => {
    const { stage, shard } = opened();
    const memberId = stage.newId();
    stage.join({ memberId });
    stage.run();
    for (const kind of ['plain', 'transactional'] as const) {
      const check = (from = {}): string => shard.groups.checkCommit('g', { ...nobody, ...from }, kind);
      expect(check({ memberId: 'm', generationId: 1 })).toBe('UNKNOWN_MEMBER_ID');
      expect(check({ memberId, generationId: 1, groupInstanceId: 'w' })).toBe('UNKNOWN_MEMBER_ID');
      expect(check({ memberId, generationId: 2 })).toBe('ILLEGAL_GENERATION');
      expect(check({ memberId })).toBe('ILLEGAL_GENERATION');
      expect(check({ memberId, generationId: 1 })).toBe(kind === 'plain' ? 'REBALANCE_IN_PROGRESS' : 'NONE');
    }
  });

  test('wire G-33: a plain commit in Stable or Preparing renews the session, a transactional one does not', () => {
    for (const kind of ['plain', 'transactional'] as const) {
      const { stage, shard } = opened();
      const [memberId] = stage.stable();
      stage.run(6000);
      expect(shard.groups.checkCommit('g', { ...nobody, memberId: memberId!, generationId: 1 }, kind)).toBe('NONE');
      stage.run(6000);
      expect(stage.describe().state).toBe(kind === 'plain' ? 'Stable' : 'Empty');
    }
  });

  test('wire G-40: the topics of all consumers; any, if one cannot be read; none, if they are not consumers', () => {
    const asks = (protocolType: string, ...metadata: readonly Buffer[]): readonly (boolean | undefined)[] => {
      const { stage, shard } = opened({ 'group.initial.rebalance.delay.ms': 100 });
      for (const bytes of metadata) {
        stage.join({ version: 3, protocolType, protocols: [{ name: 'range', metadata: bytes }] });
      }
      stage.run(250);
      return ['orders', 'bills', 'other'].map((topic) => shard.groups.get('g')?.subscribes(topic));
    };
    expect(asks('consumer', subscription('orders'), subscription('bills'))).toEqual([true, true, false]);
    expect(asks('consumer', subscription('orders'), Buffer.from('range'))).toEqual([true, true, true]);
    expect(asks('connect', subscription('orders'))).toEqual([false, false, false]);
  });

  test('wire G-8: several appends in one step break a rule of ours, and one outside of any', () => {
    const { stage, shard } = opened();
    const batch = { records: [shard.groups.tombstone('g')] };
    const on = { committed: () => undefined, failed: () => undefined };
    expect(() => shard.append(batch, on)).toThrow('wire G-2');
    shard.enter(() => {
      shard.append(batch, on);
      expect(() => shard.append(batch, on)).toThrow('wire G-2');
    });
    stage.run();
  });
});
