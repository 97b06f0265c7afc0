// SyncGroup, Heartbeat and LeaveGroup, and who is removed when (wire G-25 to G-30).
import { describe, expect, test } from 'vitest';
import { Stage } from './support/stage.ts';

/** Two members that have joined one generation and not synced yet: the leader first. */
function completing(request: object = {}): { stage: Stage; ids: readonly string[] } {
  const stage = new Stage({ config: { 'group.initial.rebalance.delay.ms': 100 } });
  const ids = [stage.newId(request), stage.newId(request)];
  for (const memberId of ids) stage.join({ memberId, ...request });
  stage.run(250);
  expect(stage.describe()).toMatchObject({ state: 'CompletingRebalance', generationId: 1 });
  return { stage, ids };
}

const bytes = (text: string): Buffer => Buffer.from(text);

describe('wire G-25: what a SyncGroup must say', () => {
  test('group, member, name, generation, protocol, in this order', () => {
    const { stage, ids } = completing();
    const [memberId] = ids;
    const wrong = { protocolType: 'x', generationId: 9 };
    expect(stage.sync({ groupId: 'none', ...wrong }).response?.error).toBe('UNKNOWN_MEMBER_ID');
    expect(stage.sync({ memberId: 'none', ...wrong }).response?.error).toBe('UNKNOWN_MEMBER_ID');
    expect(stage.sync({ memberId: memberId!, groupInstanceId: 'w', ...wrong }).response?.error).toBe(
      'UNKNOWN_MEMBER_ID',
    );
    expect(stage.sync({ memberId: memberId!, ...wrong }).response?.error).toBe('ILLEGAL_GENERATION');
    expect(stage.sync({ memberId: memberId!, protocolType: 'x' }).response?.error).toBe('INCONSISTENT_GROUP_PROTOCOL');
    expect(stage.sync({ memberId: memberId!, protocolName: 'x' }).response?.error).toBe('INCONSISTENT_GROUP_PROTOCOL');
    expect(
      stage.sync({ memberId: memberId!, protocolType: 'consumer', protocolName: 'range' }).response,
    ).toBeUndefined();
    expect(stage.sync({ groupId: '' }).response?.error).toBe('INVALID_GROUP_ID');
  });
});

describe('wire W-22: what Kafka cannot write down', () => {
  const long = 'x'.repeat(32_768);

  test('a group id is INVALID_GROUP_ID, whatever is asked', () => {
    const stage = new Stage();
    const groupId = long;
    for (const call of [stage.join({ groupId }), stage.sync({ groupId }), stage.heartbeat({ groupId })])
      expect(call.response?.error).toBe('INVALID_GROUP_ID');
    expect(stage.join({ groupId: long.slice(1) }).response?.error).toBe('MEMBER_ID_REQUIRED');
  });

  test('what is written of a member is INVALID_REQUEST', () => {
    const stage = new Stage();
    for (const wrong of [{ clientId: long }, { groupInstanceId: long }, { protocolType: long }])
      expect(stage.join(wrong).response?.error).toBe('INVALID_REQUEST');
  });
});

describe('wire G-8, G-10, G-26: assignments', () => {
  test('are delivered once durable: those left out get nothing, strangers are ignored', () => {
    const { stage, ids } = completing();
    const follower = stage.sync({ memberId: ids[1]! });
    stage.host.freeze(true);
    const assignments = [
      { memberId: ids[0]!, assignment: bytes('mine') },
      { memberId: 'stranger', assignment: bytes('lost') },
    ];
    const leader = stage.sync({ memberId: ids[0]!, assignments });
    stage.run();
    expect([leader.response, follower.response]).toEqual([undefined, undefined]);
    expect(stage.describe().state).toBe('CompletingRebalance');
    stage.host.freeze(false);
    stage.run();
    const protocol = { error: 'NONE', protocolType: 'consumer', protocolName: 'range' };
    expect(leader.response).toEqual({ ...protocol, assignment: bytes('mine') });
    expect(follower.response).toEqual({ ...protocol, assignment: bytes('') });
    expect(stage.sync({ memberId: ids[0]! }).response).toEqual({ ...protocol, assignment: bytes('mine') });
  });

  test('of followers are ignored', () => {
    const { stage, ids } = completing();
    stage.sync({ memberId: ids[1]!, assignments: [{ memberId: ids[1]!, assignment: bytes('all') }] });
    stage.run();
    expect(stage.describe().state).toBe('CompletingRebalance');
  });

  test('that cannot be written make all join again', () => {
    const { stage, ids } = completing();
    const follower = stage.sync({ memberId: ids[1]! });
    stage.host.refusals.push('NOT_LEADER_OR_FOLLOWER');
    const leader = stage.sync({ memberId: ids[0]! });
    stage.run();
    expect([leader, follower].map(({ response }) => response?.error)).toEqual(['NOT_COORDINATOR', 'NOT_COORDINATOR']);
    expect(stage.describe().state).toBe('PreparingRebalance');
  });

  test('that are not replicated in time are answered COORDINATOR_NOT_AVAILABLE (G-6)', () => {
    const { stage, ids } = completing();
    stage.host.freeze(true);
    const leader = stage.sync({ memberId: ids[0]! });
    stage.run(4900);
    expect(leader.response).toBeUndefined();
    stage.run(200);
    expect(leader.response?.error).toBe('COORDINATOR_NOT_AVAILABLE');
    expect(stage.describe().state).toBe('PreparingRebalance');
  });

  test('of a generation that a rebalance has overtaken are not delivered', () => {
    const { stage, ids } = completing();
    stage.host.freeze(true);
    const leader = stage.sync({ memberId: ids[0]!, assignments: [{ memberId: ids[0]!, assignment: bytes('old') }] });
    stage.run();
    stage.join({ version: 3 });
    expect(leader.response?.error).toBe('REBALANCE_IN_PROGRESS');
    stage.host.freeze(false);
    stage.run();
    expect(stage.describe()).toMatchObject({ state: 'PreparingRebalance', generationId: 1 });
  });

  test('of a generation that has been overtaken are not those of the next one, which asks for its own', () => {
    const { stage, ids } = completing();
    stage.host.freeze(true);
    stage.sync({ memberId: ids[0]!, assignments: [{ memberId: ids[0]!, assignment: bytes('old') }] });
    stage.run();
    for (const memberId of ids) stage.join({ memberId, protocols: [{ name: 'range', metadata: bytes('new') }] });
    stage.run();
    const follower = stage.sync({ memberId: ids[1]!, generationId: 2 });
    stage.host.freeze(false);
    stage.run();
    expect(follower.response).toBeUndefined();
    expect(stage.describe()).toMatchObject({ state: 'CompletingRebalance', generationId: 2 });
    stage.sync({
      ...{ memberId: ids[0]!, generationId: 2 },
      assignments: [{ memberId: ids[1]!, assignment: bytes('new') }],
    });
    stage.run();
    expect(follower.response?.assignment).toEqual(bytes('new'));
  });

  test('are written once a generation, however often the leader asks', () => {
    const { stage, ids } = completing();
    stage.host.freeze(true);
    const first = stage.sync({ memberId: ids[0]!, assignments: [{ memberId: ids[0]!, assignment: bytes('one') }] });
    const second = stage.sync({ memberId: ids[0]!, assignments: [{ memberId: ids[0]!, assignment: bytes('two') }] });
    stage.run();
    stage.host.freeze(false);
    stage.run();
    expect(first.response?.error).toBe('REBALANCE_IN_PROGRESS');
    expect(second.response?.assignment).toEqual(bytes('one'));
    expect(stage.records()).toHaveLength(2);
  });

  test('Preparing: REBALANCE_IN_PROGRESS', () => {
    const stage = new Stage();
    const [memberId] = stage.stable();
    stage.join({ version: 3 });
    expect(stage.sync({ memberId: memberId! }).response?.error).toBe('REBALANCE_IN_PROGRESS');
  });

  test('members that never ask are dropped after the rebalance timeout, and the others join again (section 9)', () => {
    const { stage, ids } = completing({ rebalanceTimeoutMs: 8000 });
    const leader = stage.sync({ memberId: ids[0]! });
    stage.run();
    expect(stage.describe().state).toBe('Stable');
    expect(leader.response?.error).toBe('NONE');
    stage.heartbeat({ memberId: ids[1]! });
    stage.run(7000);
    stage.heartbeat({ memberId: ids[0]! });
    stage.heartbeat({ memberId: ids[1]! });
    stage.run(1100);
    const { state, members } = stage.describe();
    expect(state).toBe('PreparingRebalance');
    expect(members.map(({ memberId }) => memberId)).toEqual([ids[0]]);
  });
});

describe('wire G-27: Heartbeat', () => {
  test('is refused in the order of the checks', () => {
    const stage = new Stage();
    const [memberId] = stage.stable();
    expect(stage.heartbeat({ groupId: 'none' }).response?.error).toBe('UNKNOWN_MEMBER_ID');
    expect(stage.heartbeat({ memberId: 'none', generationId: 9 }).response?.error).toBe('UNKNOWN_MEMBER_ID');
    expect(stage.heartbeat({ memberId: memberId!, generationId: 2 }).response?.error).toBe('ILLEGAL_GENERATION');
    expect(stage.heartbeat({ groupId: '' }).response?.error).toBe('INVALID_GROUP_ID');
  });

  test('renews the session: in Stable and Completing with NONE, in Preparing with REBALANCE_IN_PROGRESS', () => {
    const { stage, ids } = completing();
    for (let i = 0; i < 4; i++) {
      stage.run(9000);
      const calls = ids.map((memberId) => stage.heartbeat({ memberId }));
      expect(calls.map(({ response }) => response?.error)).toEqual(['NONE', 'NONE']);
    }
    stage.join({ version: 3 });
    expect(stage.heartbeat({ memberId: ids[0]! }).response?.error).toBe('REBALANCE_IN_PROGRESS');
    stage.run(9000);
    stage.heartbeat({ memberId: ids[0]! });
    stage.run(9000);
    expect(stage.describe().members.map(({ memberId }) => memberId)).toContain(ids[0]);
    expect(stage.describe().members.map(({ memberId }) => memberId)).not.toContain(ids[1]);
  });

  test('is answered only when everything appended before it is committed (G-8), at most after 5 s', () => {
    const stage = new Stage();
    const [memberId] = stage.stable();
    stage.host.freeze(true);
    stage.join({ groupId: 'other' });
    stage.run();
    const first = stage.heartbeat({ memberId: memberId! });
    const failed = stage.heartbeat({ memberId: memberId!, generationId: 9 });
    expect(failed.response?.error).toBe('ILLEGAL_GENERATION');
    stage.run();
    expect(first.response).toBeUndefined();
    stage.host.freeze(false);
    stage.run();
    expect(first.response?.error).toBe('NONE');
    stage.host.freeze(true);
    stage.join({ groupId: 'third' });
    stage.run();
    const second = stage.heartbeat({ memberId: memberId! });
    stage.run(5100);
    expect(second.response?.error).toBe('COORDINATOR_NOT_AVAILABLE');
  });
});

describe('wire G-28, G-30: sessions', () => {
  test('who is silent for a session is out, and the others join again; nothing else removes it', () => {
    const stage = new Stage();
    const [a, b] = stage.stable(2);
    const { generationId } = stage.describe();
    stage.run(9900);
    stage.heartbeat({ memberId: a!, generationId });
    expect(stage.describe().members).toHaveLength(2);
    stage.run(200);
    expect(stage.describe().state).toBe('PreparingRebalance');
    expect(stage.describe().members.map(({ memberId }) => memberId)).toEqual([a]);
    expect(stage.heartbeat({ memberId: b!, generationId }).response?.error).toBe('UNKNOWN_MEMBER_ID');
  });

  test('in Preparing, the last one missing ends the join phase by expiring, and so does an id that was given out', () => {
    const stage = new Stage();
    const [a] = stage.stable(2);
    const join = stage.join({ memberId: a! });
    stage.run(5000);
    stage.newId();
    stage.run(5100);
    expect(join.response).toBeUndefined();
    stage.run(5100);
    expect(join.response?.error).toBe('NONE');
    expect(join.response?.members).toHaveLength(1);
  });

  test('of members that are parked do not count', () => {
    const { stage, ids } = completing();
    const sync = stage.sync({ memberId: ids[1]! });
    for (let i = 0; i < 3; i++) {
      stage.run(9000);
      stage.heartbeat({ memberId: ids[0]! });
    }
    expect(sync.response).toBeUndefined();
    stage.sync({ memberId: ids[0]! });
    stage.run();
    expect(sync.response?.error).toBe('NONE');
    stage.run(9000);
    stage.heartbeat({ memberId: ids[0]! });
    stage.run(2000);
    expect(stage.describe().members.map(({ memberId }) => memberId)).toEqual([ids[0]]);
  });

  test('the last one leaves an empty group: generation + 1, written', () => {
    const stage = new Stage();
    stage.stable();
    const before = stage.records().length;
    stage.run(10_100);
    expect(stage.describe()).toMatchObject({ state: 'Empty', generationId: 2, members: [] });
    expect(stage.records()).toHaveLength(before + 1);
  });
});

describe('wire G-29: LeaveGroup', () => {
  test('says of each member what became of it', () => {
    const stage = new Stage();
    const [a] = stage.stable(2);
    const pending = stage.newId();
    const members = [
      { memberId: a!, groupInstanceId: '' },
      { memberId: a!, groupInstanceId: '' },
      { memberId: pending, groupInstanceId: '' },
      { memberId: '', groupInstanceId: 'nobody' },
      { memberId: '', groupInstanceId: '' },
    ];
    const call = stage.send('leaveGroup', { groupId: 'g', members });
    expect(call.response?.error).toBe('NONE');
    const errors = call.response?.members.map(({ error }) => error);
    expect(errors).toEqual(['NONE', 'UNKNOWN_MEMBER_ID', 'NONE', 'UNKNOWN_MEMBER_ID', 'UNKNOWN_MEMBER_ID']);
    expect(stage.describe().state).toBe('PreparingRebalance');
  });

  test('an administrator removes static members by name; another member of that name is fenced', () => {
    const stage = new Stage();
    const join = stage.join({ groupInstanceId: 'w' });
    stage.run();
    const { memberId } = join.response!;
    stage.sync({ memberId, groupInstanceId: 'w' });
    stage.run();
    const leave = (id: string): string | undefined => {
      const call = stage.send('leaveGroup', { groupId: 'g', members: [{ memberId: id, groupInstanceId: 'w' }] });
      stage.run();
      return call.response?.members[0]?.error;
    };
    expect(leave('other')).toBe('FENCED_INSTANCE_ID');
    expect(leave('')).toBe('NONE');
    expect(stage.describe().state).toBe('Empty');
    expect(leave('')).toBe('UNKNOWN_MEMBER_ID');
  });

  test('a group that does not exist has none of these members', () => {
    const stage = new Stage();
    expect(stage.leave('a').response).toEqual({
      error: 'NONE',
      members: [{ memberId: 'a', groupInstanceId: '', error: 'UNKNOWN_MEMBER_ID' }],
    });
    expect(stage.send('leaveGroup', { groupId: '', members: [] }).response?.error).toBe('INVALID_GROUP_ID');
  });

  test('what is parked of a member that goes is answered UNKNOWN_MEMBER_ID', () => {
    const { stage, ids } = completing();
    const sync = stage.sync({ memberId: ids[1]! });
    stage.leave(ids[1]!);
    expect(sync.response?.error).toBe('UNKNOWN_MEMBER_ID');
    const join = stage.join({ memberId: ids[0]!, protocols: [{ name: 'range', metadata: bytes('new') }] });
    expect(join.response?.error).toBe('NONE');
    const parked = stage.join({ version: 3 });
    const { memberId } = stage.describe().members[1]!;
    stage.leave(memberId);
    expect(parked.response).toMatchObject({ error: 'UNKNOWN_MEMBER_ID', memberId: '' });
  });

  test('the last one missing ends the join phase by leaving', () => {
    const stage = new Stage();
    const [a, b] = stage.stable(2);
    const join = stage.join({ memberId: a! });
    expect(join.response).toBeUndefined();
    stage.leave(b!);
    expect(join.response?.error).toBe('NONE');
  });

  test('the one that empties a group is answered when that is durable (G-8)', () => {
    const stage = new Stage();
    const [memberId] = stage.stable();
    stage.host.freeze(true);
    const leave = stage.leave(memberId!);
    stage.run();
    expect(leave.response).toBeUndefined();
    stage.host.freeze(false);
    stage.run();
    expect(leave.response).toMatchObject({ error: 'NONE', members: [{ memberId, error: 'NONE' }] });
    expect(stage.describe()).toMatchObject({ state: 'Empty', generationId: 2 });
  });

  test('and is told if it cannot be written', () => {
    const stage = new Stage();
    const [memberId] = stage.stable();
    stage.host.refusals.push('NOT_ENOUGH_REPLICAS');
    const leave = stage.leave(memberId!);
    stage.run();
    expect(leave.response).toEqual({ error: 'COORDINATOR_NOT_AVAILABLE', members: [] });
  });
});
