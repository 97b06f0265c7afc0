// JoinGroup: who may join, and what the join phase makes of it (wire G-15 to G-24).
import { describe, expect, test } from 'vitest';
import { Stage, protocols } from './support/stage.ts';

describe('wire G-15, G-24: what is refused before a group is looked at', () => {
  test('in this order: not running, empty group id, session timeout, loading, not the coordinator', () => {
    const stage = new Stage({ led: false });
    const wrong = { groupId: '', sessionTimeoutMs: 1, memberId: 'm' };
    expect(stage.join({ ...wrong }).response).toMatchObject({ error: 'INVALID_GROUP_ID', memberId: 'm' });
    expect(stage.join({ sessionTimeoutMs: 5999 }).response?.error).toBe('INVALID_SESSION_TIMEOUT');
    expect(stage.join({ sessionTimeoutMs: 1_800_001 }).response?.error).toBe('INVALID_SESSION_TIMEOUT');
    expect(stage.join({ memberId: 'm' }).response).toEqual({
      ...{ error: 'NOT_COORDINATOR', generationId: -1, protocolType: '', protocolName: '', leader: '' },
      ...{ memberId: '', skipAssignment: false, members: [] },
    });
    stage.beginElection(0, 1);
    expect(stage.join({ memberId: 'm' }).response).toMatchObject({
      error: 'COORDINATOR_LOAD_IN_PROGRESS',
      memberId: '',
    });
    stage.coordinator.stop();
    expect(stage.join({ ...wrong }).response).toMatchObject({ error: 'COORDINATOR_NOT_AVAILABLE', memberId: 'm' });
  });

  test('the bounds of the session timeout are inclusive', () => {
    const stage = new Stage();
    expect(stage.join({ sessionTimeoutMs: 6000 }).response?.error).toBe('MEMBER_ID_REQUIRED');
    expect(stage.join({ sessionTimeoutMs: 1_800_000 }).response).toBeUndefined();
    stage.run();
  });
});

describe('wire G-16: the size of a group', () => {
  test('a member id in a group that does not exist is unknown', () => {
    const stage = new Stage();
    expect(stage.join({ memberId: 'm' }).response).toMatchObject({ error: 'UNKNOWN_MEMBER_ID', memberId: 'm' });
    expect(stage.records()).toEqual([]);
  });

  test('a stable group that is full takes nobody, but its own members', () => {
    const stage = new Stage({ config: { 'group.max.size': 2 } });
    const ids = stage.stable(2);
    expect(stage.join().response).toMatchObject({ error: 'GROUP_MAX_SIZE_REACHED', memberId: '' });
    expect(stage.join({ memberId: ids[1]! }).response?.error).toBe('NONE');
  });

  test('in Preparing only the parked count, and who comes too late is out, pending or member', () => {
    const stage = new Stage({ config: { 'group.max.size': 2, 'group.initial.rebalance.delay.ms': 1000 } });
    const ids = [stage.newId(), stage.newId(), stage.newId()];
    const joins = ids.map((memberId) => stage.join({ memberId }));
    expect(joins[2]!.response).toMatchObject({ error: 'GROUP_MAX_SIZE_REACHED', memberId: '' });
    expect(stage.join({ memberId: ids[2]! }).response?.error).toBe('GROUP_MAX_SIZE_REACHED');
    stage.run(2100);
    expect(joins.slice(0, 2).map(({ response }) => response?.generationId)).toEqual([1, 1]);
  });

  test('a parked member that asks again is not counted twice', () => {
    const stage = new Stage({ config: { 'group.max.size': 1, 'group.initial.rebalance.delay.ms': 1000 } });
    const memberId = stage.newId();
    const first = stage.join({ memberId });
    const second = stage.join({ memberId });
    expect(first.response?.error).toBe('REBALANCE_IN_PROGRESS');
    stage.run(1100);
    expect(second.response?.error).toBe('NONE');
  });
});

describe('wire G-17: protocols', () => {
  test('an empty group wants a type and at least one protocol', () => {
    const stage = new Stage();
    expect(stage.join({ protocolType: '' }).response?.error).toBe('INCONSISTENT_GROUP_PROTOCOL');
    stage.run();
    expect(stage.join({ protocols: [] }).response?.error).toBe('INCONSISTENT_GROUP_PROTOCOL');
  });

  test('later the type must be the same and one name be supported by all', () => {
    const stage = new Stage();
    stage.stable(1, { protocols: protocols('range', 'sticky') });
    expect(stage.join({ protocolType: 'connect' }).response?.error).toBe('INCONSISTENT_GROUP_PROTOCOL');
    expect(stage.join({ protocols: protocols('other') }).response?.error).toBe('INCONSISTENT_GROUP_PROTOCOL');
    expect(stage.join({ protocols: protocols('other', 'sticky') }).response?.error).toBe('MEMBER_ID_REQUIRED');
  });
});

describe('wire G-10, G-18: new members', () => {
  test('a dynamic member is given its id first, and joins with it', () => {
    const stage = new Stage();
    const memberId = stage.newId({ clientId: 'app' });
    expect(memberId).toMatch(/^app-[0-9a-f-]{36}$/);
    const join = stage.join({ memberId });
    expect(join.response).toBeUndefined();
    stage.run();
    expect(join.response).toMatchObject({ error: 'NONE', generationId: 1, leader: memberId, memberId });
  });

  test('up to version 3 it is added at once', () => {
    const stage = new Stage();
    const join = stage.join({ version: 3 });
    stage.run();
    expect(join.response).toMatchObject({ error: 'NONE', generationId: 1 });
    expect(join.response?.memberId).toMatch(/^client-/);
  });

  test('a static one too, in any version, under the name it brings', () => {
    const stage = new Stage();
    const join = stage.join({ groupInstanceId: 'worker-1' });
    stage.run();
    expect(join.response?.memberId).toMatch(/^worker-1-[0-9a-f-]{36}$/);
    expect(join.response?.members).toEqual([
      { memberId: join.response?.memberId, groupInstanceId: 'worker-1', metadata: Buffer.from('range') },
    ]);
  });

  test('an id that was given out is forgotten after a session', () => {
    const stage = new Stage();
    const memberId = stage.newId({ sessionTimeoutMs: 6000 });
    stage.run(6100);
    expect(stage.join({ memberId }).response?.error).toBe('UNKNOWN_MEMBER_ID');
  });

  test('the first record is an empty group, whatever the JoinGroup is answered', () => {
    for (const request of [{}, { protocols: [] }, { version: 3 }]) {
      const stage = new Stage();
      stage.join(request);
      stage.run();
      expect(stage.records()).toHaveLength(1);
      expect(stage.records()[0]!.value!.subarray(0, 8).toString('hex')).toBe('0003000000000000');
    }
  });

  test('if it cannot be written there is no group, and who waits in it is told', () => {
    const stage = new Stage();
    stage.host.refusals.push('NOT_ENOUGH_REPLICAS');
    const join = stage.join({ version: 3 });
    stage.run();
    expect(join.response).toMatchObject({ error: 'COORDINATOR_NOT_AVAILABLE', generationId: -1, memberId: '' });
    expect(stage.describe().state).toBe('Dead');
    stage.run(300_100);
    expect(stage.records()).toEqual([]);
  });
});

describe('wire G-19: members that are known', () => {
  test('whose id or name is wrong', () => {
    const stage = new Stage();
    const [memberId] = stage.stable();
    expect(stage.join({ memberId: 'other' }).response?.error).toBe('UNKNOWN_MEMBER_ID');
    expect(stage.join({ memberId: memberId!, groupInstanceId: 'nobody' }).response?.error).toBe('UNKNOWN_MEMBER_ID');
    const named = stage.join({ groupInstanceId: 'worker' });
    stage.join({ memberId: memberId! });
    stage.run();
    expect(named.response?.error).toBe('NONE');
    expect(stage.join({ memberId: memberId!, groupInstanceId: 'worker' }).response).toMatchObject({
      ...{ error: 'FENCED_INSTANCE_ID', memberId },
    });
  });

  test('Completing: who says the same is answered at once, who says something else makes all join again', () => {
    const stage = new Stage();
    const memberId = stage.newId();
    stage.join({ memberId });
    stage.run();
    expect(stage.describe().state).toBe('CompletingRebalance');
    const again = stage.join({ memberId });
    expect(again.response).toMatchObject({ error: 'NONE', generationId: 1, leader: memberId });
    expect(again.response?.members).toHaveLength(1);
    const changed = stage.join({ memberId, protocols: protocols('range', 'sticky') });
    expect(changed.response).toMatchObject({ error: 'NONE', generationId: 2 });
  });

  test('Stable: a follower with nothing new is answered at once, without the members', () => {
    const stage = new Stage();
    const [leader, follower] = stage.stable(2);
    const { generationId } = stage.describe();
    const again = stage.join({ memberId: follower! });
    expect(again.response).toMatchObject({ error: 'NONE', generationId, leader, members: [], skipAssignment: false });
    expect(stage.describe().state).toBe('Stable');
  });

  test('Stable: the leader, or a follower with something new, makes all join again', () => {
    for (const place of [0, 1]) {
      const stage = new Stage();
      const ids = stage.stable(2);
      const metadata = Buffer.from(place === 0 ? 'range' : 'new');
      const join = stage.join({ memberId: ids[place]!, protocols: [{ name: 'range', metadata }] });
      expect(join.response).toBeUndefined();
      expect(stage.describe().state).toBe('PreparingRebalance');
    }
  });

  test('Empty: a member id is unknown', () => {
    const stage = new Stage();
    const [memberId] = stage.stable();
    stage.leave(memberId!);
    stage.run();
    expect(stage.describe().state).toBe('Empty');
    expect(stage.join({ memberId: memberId! }).response?.error).toBe('UNKNOWN_MEMBER_ID');
  });
});

describe('wire G-20: the initial delay', () => {
  const config = { 'group.initial.rebalance.delay.ms': 3000 };

  test('is prolonged while members come, but not beyond the first one’s rebalance timeout', () => {
    const stage = new Stage({ config });
    const join = stage.join({ version: 3, rebalanceTimeoutMs: 8000 });
    for (let i = 0; i < 8; i++) {
      stage.run(1000);
      if (i < 7) stage.join({ version: 3 });
      // 3 s, then 3 s more, then the 2 s that are left of the first one's 8 s.
      expect(join.response === undefined).toBe(i < 7);
    }
    expect(join.response?.members).toHaveLength(8);
  });

  test('is not prolonged if nobody comes', () => {
    const stage = new Stage({ config });
    const join = stage.join({ version: 3 });
    stage.run(2900);
    expect(join.response).toBeUndefined();
    stage.run(200);
    expect(join.response?.error).toBe('NONE');
  });

  test('ids that were given out do not hold it', () => {
    const stage = new Stage({ config });
    const join = stage.join({ version: 3 });
    stage.newId();
    stage.run(3100);
    expect(join.response?.error).toBe('NONE');
  });

  test('neither a join nor a LeaveGroup ends it early, an expiry that leaves all parked does (G-28)', () => {
    const stage = new Stage({ config: { 'group.initial.rebalance.delay.ms': 60_000 } });
    const join = stage.join({ version: 3 });
    const [leaving, expiring] = [stage.newId(), stage.newId()];
    stage.leave(leaving);
    stage.run(9000);
    expect(join.response).toBeUndefined();
    stage.run(1100);
    expect(join.response).toMatchObject({ error: 'NONE', generationId: 1 });
    expect(stage.join({ memberId: expiring }).response?.error).toBe('UNKNOWN_MEMBER_ID');
  });
});

describe('wire G-14, G-21: the end of a join phase', () => {
  test('members that have not rejoined are out; the next in join order leads; sessions begin anew', () => {
    const stage = new Stage();
    const [a, b, c] = stage.stable(3);
    const joins = [stage.join({ memberId: c!, protocols: [{ name: 'range', metadata: Buffer.from('new') }] })];
    stage.run(100);
    for (let i = 0; i < 7; i++) {
      for (const memberId of [a, b])
        stage.heartbeat({ memberId: memberId!, generationId: stage.describe().generationId });
      stage.run(9000);
    }
    expect(joins[0]!.response).toMatchObject({ error: 'NONE', leader: c });
    expect(stage.describe().members.map(({ memberId }) => memberId)).toEqual([c]);
    const { generationId } = stage.describe();
    expect(stage.heartbeat({ memberId: a!, generationId }).response?.error).toBe('UNKNOWN_MEMBER_ID');
  });

  test('the protocol with most votes among those that all support; the leader’s order breaks a tie', () => {
    const vote = (...lists: readonly (readonly string[])[]): string => {
      const stage = new Stage({ config: { 'group.initial.rebalance.delay.ms': 1000 } });
      const joins = lists.map((names) => stage.join({ version: 3, protocols: protocols(...names) }));
      stage.run(2100);
      return joins[0]!.response!.protocolName;
    };
    expect(vote(['a', 'b'], ['b', 'a'])).toBe('a');
    expect(vote(['a', 'b'], ['b', 'a'], ['b', 'a'])).toBe('b');
    expect(vote(['c', 'a', 'b'], ['b', 'a'], ['a', 'b'])).toBe('a');
  });

  test('the leader alone is told of the members, with what they say under the chosen protocol', () => {
    const stage = new Stage({ config: { 'group.initial.rebalance.delay.ms': 1000 } });
    const joins = [stage.join({ version: 3 }), stage.join({ version: 3, groupInstanceId: 'w' })];
    stage.run(2100);
    const [first, second] = joins.map(({ response }) => response!);
    expect(first!.members).toEqual([
      { memberId: first!.memberId, groupInstanceId: '', metadata: Buffer.from('range') },
      { memberId: second!.memberId, groupInstanceId: 'w', metadata: Buffer.from('range') },
    ]);
    expect(second).toMatchObject({ leader: first!.memberId, members: [], protocolType: 'consumer' });
  });

  test('nothing is written at its end (G-10)', () => {
    const stage = new Stage();
    stage.join({ version: 3 });
    stage.run();
    expect(stage.describe().state).toBe('CompletingRebalance');
    expect(stage.records()).toHaveLength(1);
  });

  test('static members stay without rejoining; if nobody else has, the phase lasts another timeout', () => {
    const { stage, request, memberId } = withStaticLeader();
    const late = stage.newId(request);
    const join = stage.join({ ...request, memberId: late });
    stage.run(100);
    stage.leave(late);
    expect(join.response?.error).toBe('UNKNOWN_MEMBER_ID');
    stage.run(15_000);
    expect(stage.describe()).toMatchObject({ state: 'PreparingRebalance', generationId: 1 });
    const again = stage.join({ ...request, memberId, groupInstanceId: 'w' });
    stage.run(100);
    expect(again.response).toMatchObject({ error: 'NONE', generationId: 2 });
  });
});

test('wire G-14: a static leader that does not rejoin in time stays a member, and one that has leads', () => {
  const { stage, request, memberId } = withStaticLeader();
  const join = stage.join({ ...request, memberId: stage.newId(request) });
  stage.run(10_100);
  expect(join.response).toMatchObject({ error: 'NONE', generationId: 2, leader: join.response?.memberId });
  expect(join.response?.members.map((member) => member.memberId)).toEqual([memberId, join.response?.memberId]);
  const back = stage.join({ ...request, memberId, groupInstanceId: 'w' });
  stage.run();
  expect(back.response).toMatchObject({ error: 'NONE', generationId: 2, leader: join.response?.memberId });
});

test('wire G-22: a member parked in its first join lives for 5 minutes, whatever its session', () => {
  const stage = new Stage();
  const [leader] = stage.stable(1, { rebalanceTimeoutMs: 1_000_000 });
  const join = stage.join({ version: 3 });
  const alive = (ms: number): void => {
    for (let left = ms; left > 0; left -= 5000) {
      stage.heartbeat({ memberId: leader! });
      stage.run(Math.min(left, 5000));
    }
  };
  alive(299_000);
  expect(join.response).toBeUndefined();
  alive(2000);
  expect(join.response).toMatchObject({ error: 'UNKNOWN_MEMBER_ID', memberId: '' });
});

describe('wire G-23: a static member comes back without its id', () => {
  function named(request: object = {}): { stage: Stage; memberId: string } {
    const stage = new Stage();
    const join = stage.join({ groupInstanceId: 'w', ...request });
    stage.run();
    const { memberId } = join.response!;
    stage.sync({ memberId, groupInstanceId: 'w', assignments: [{ memberId, assignment: Buffer.from('x') }] });
    stage.run();
    return { stage, memberId };
  }

  test('Stable: the group goes on, once the new id is durable', () => {
    const { stage, memberId } = named();
    stage.host.freeze(true);
    const join = stage.join({ groupInstanceId: 'w' });
    stage.run();
    expect(join.response).toBeUndefined();
    stage.host.freeze(false);
    stage.run();
    const response = join.response!;
    expect(response).toMatchObject({ error: 'NONE', generationId: 1, leader: response.memberId, skipAssignment: true });
    expect(response.memberId).not.toBe(memberId);
    expect(response.members.map((member) => member.memberId)).toEqual([response.memberId]);
    expect(stage.describe().state).toBe('Stable');
    const sync = stage.sync({ memberId: response.memberId, groupInstanceId: 'w' });
    expect(sync.response?.assignment.toString()).toBe('x');
    expect(stage.heartbeat({ memberId, groupInstanceId: 'w' }).response?.error).toBe('FENCED_INSTANCE_ID');
    expect(stage.heartbeat({ memberId }).response?.error).toBe('UNKNOWN_MEMBER_ID');
  });

  test.each([true, false])('BUG-72: after a failover it is the member still (group.staticFence: %s)', (isOn) => {
    const { stage, memberId } = named();
    stage.setSafeguard('group.staticFence', isOn);
    const join = stage.join({ groupInstanceId: 'w' });
    stage.run();
    stage.failOver(3);
    const fate = (id: string): unknown => {
      const call = stage.heartbeat({ memberId: id, groupInstanceId: 'w' });
      stage.run();
      return call.response?.error;
    };
    const [member, fenced] = isOn ? [join.response!.memberId, memberId] : [memberId, join.response!.memberId];
    expect([fate(member), fate(fenced)]).toEqual(['NONE', 'FENCED_INSTANCE_ID']);
  });

  test('up to version 8 it is told the leader of before, so that it does not assign', () => {
    const { stage, memberId } = named({ version: 8 });
    const join = stage.join({ groupInstanceId: 'w', version: 8 });
    stage.run();
    expect(join.response).toMatchObject({ error: 'NONE', leader: memberId, members: [], skipAssignment: false });
  });

  test('if the new id cannot be written the old one comes back', () => {
    const { stage, memberId } = named();
    stage.host.refusals.push('NOT_ENOUGH_REPLICAS');
    const join = stage.join({ groupInstanceId: 'w' });
    stage.run();
    expect(join.response).toMatchObject({ error: 'COORDINATOR_NOT_AVAILABLE', memberId: '' });
    const alive = stage.heartbeat({ memberId, groupInstanceId: 'w' });
    stage.run();
    expect(alive.response?.error).toBe('NONE');
  });

  test('a rebalance that begins while it is written answers it with its own generation', () => {
    const { stage } = named();
    stage.host.freeze(true);
    const join = stage.join({ groupInstanceId: 'w' });
    stage.run();
    const other = stage.join({ groupInstanceId: 'v' });
    stage.run();
    stage.host.freeze(false);
    stage.run();
    expect(join.response).toMatchObject({ error: 'NONE', generationId: 2, skipAssignment: false });
    expect(other.response).toMatchObject({ error: 'NONE', generationId: 2 });
  });

  test('what is parked under the old id is fenced', () => {
    const stage = new Stage();
    const first = stage.join({ groupInstanceId: 'w' });
    const second = stage.join({ groupInstanceId: 'w' });
    expect(first.response).toBeUndefined();
    stage.run();
    expect(first.response?.error).toBe('FENCED_INSTANCE_ID');
    expect(second.response).toMatchObject({ error: 'NONE', generationId: 1 });
    const follower = stage.join({ groupInstanceId: 'v' });
    const leader = stage.join({ memberId: second.response!.memberId, groupInstanceId: 'w' });
    stage.run();
    expect(leader.response?.generationId).toBe(2);
    const { memberId } = follower.response!;
    const sync = stage.sync({ memberId, groupInstanceId: 'v', generationId: 2 });
    stage.join({ groupInstanceId: 'v' });
    expect(sync.response?.error).toBe('FENCED_INSTANCE_ID');
    // Completing: the leader may have assigned to the old id already.
    expect(stage.describe().state).toBe('PreparingRebalance');
  });

  test('Stable: another protocol makes all join again', () => {
    const { stage } = named({ protocols: protocols('a', 'b') });
    const join = stage.join({ groupInstanceId: 'w', protocols: protocols('b', 'a') });
    expect(join.response).toMatchObject({ error: 'NONE', generationId: 2, protocolName: 'b' });
  });
});

/** A stable group of one member, which is static; its session is longer than a rebalance may last. */
function withStaticLeader() {
  const stage = new Stage();
  const request = { sessionTimeoutMs: 200_000, rebalanceTimeoutMs: 10_000 };
  const named = stage.join({ ...request, groupInstanceId: 'w' });
  stage.run();
  const { memberId } = named.response!;
  stage.sync({ memberId, groupInstanceId: 'w', assignments: [{ memberId, assignment: Buffer.from('x') }] });
  stage.run();
  return { stage, request, memberId };
}
