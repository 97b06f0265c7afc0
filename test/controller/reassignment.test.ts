// Reassignments: what begins one, what ends it, what each step does to epochs, and how it is called off (repl R-107).
import { describe, expect, test } from 'vitest';
import { buildPartitionChange } from '../../src/controller/partition-change.ts';
import { arrivalWith, cancelled, movingTo, settled } from '../../src/controller/reassignment.ts';
import { alter, bringUp, createTopic, heartbeat, partitionOf, proposal, state } from './fleet.ts';
import { Desk } from './lone-controller.ts';

type Ids = readonly number[];

/** Brokers 1 to 6 are up; orders-0 is on 1, 2 and 3, led by 1. */
function orders(configs: Record<string, string> = {}): Desk {
  const desk = new Desk().start();
  bringUp(desk, 1, 2, 3, 4, 5, 6);
  createTopic(desk, 'orders', { replicas: [[1, 2, 3]], configs });
  return desk;
}

function reassign(desk: Desk, ids: Ids | null, mayResize = true, of = { topic: 'orders', partition: 0 }) {
  const replicas = ids === null ? null : { ids: [...ids] };
  const request = { partitions: [{ ...of, replicas }], allowReplicationFactorChange: mayResize };
  return desk.call('AlterPartitionReassignments', request).partitions[0]!;
}

/** "replicas +adding -removing". */
function assignment(desk: Desk): string {
  const { replicas, adding, removing } = partitionOf(desk, 'orders');
  return `${replicas.join()}${adding.length ? ` +${adding.join()}` : ''}${removing.length ? ` -${removing.join()}` : ''}`;
}

const join = (desk: Desk, isr: Ids) => alter(desk, proposal(desk, 'orders', isr)).partitions[0]!;

describe('repl R-107: the rules', () => {
  const moves: [Ids, Ids, string][] = [
    [[1, 2, 3], [1, 2, 4], '1,2,4,3 +4 -3'],
    [[1, 2, 3], [3, 2, 1], '3,2,1 + -'],
    [[1, 2, 3], [5, 4], '5,4,1,2,3 +4,5 -1,2,3'],
    [[1, 2, 3], [1, 2, 3, 6, 5], '1,2,3,6,5 +5,6 -'],
  ];
  test.each(moves)('%j to %j: everybody is a replica, those who go come last', (from, to, expected) => {
    const { replicas, adding, removing } = movingTo(settled(from), to);
    expect(`${replicas.join()} +${adding.join()} -${removing.join()}`).toBe(expected);
  });

  const arrivals: [string, Ids, Ids, Ids, Ids | undefined][] = [
    ['one comes for one: whoever merely stays may be dead', [1, 2, 3], [1, 2, 4], [1, 3, 4], [1, 4]],
    ['not before it is in sync', [1, 2, 3], [1, 2, 4], [1, 2, 3], undefined],
    ['all that come must be in sync', [1, 2, 3], [4, 5, 6], [1, 4, 5], undefined],
    ['more go than come: those that stay must be in sync too', [1, 2, 3], [1, 4], [2, 3, 4], undefined],
    ['more go than come, and all are in sync', [1, 2, 3], [1, 4], [1, 3, 4], [1, 4]],
    ['none comes: a shorter list needs all of it', [1, 2, 3], [1, 2], [1, 3], undefined],
    ['none goes', [1, 2], [1, 2, 4], [1, 4], [1, 4]],
    ['somebody must be left', [1, 2, 3], [4], [1, 2, 3], undefined],
  ];
  test.each(arrivals)('%s', (_what, from, to, isr, expected) => {
    expect(arrivalWith(movingTo(settled(from), to), isr, true)?.isr).toEqual(expected);
  });

  test('reassign.waitAll off: one replica of the new list in sync is enough, none is not', () => {
    const moving = movingTo(settled([1, 2, 3]), [3, 4, 5]);
    expect(arrivalWith(moving, [1, 2, 3], false)).toEqual({ replicas: [3, 4, 5], isr: [3] });
    expect(arrivalWith(moving, [1, 2], false)).toBeUndefined();
  });

  test('nothing moves: nothing arrives', () => {
    expect(arrivalWith(settled([1, 2]), [1, 2], true)).toBeUndefined();
  });

  test('cancelled: those that came go again; if nobody else is in sync the first that stays is put there', () => {
    const moving = movingTo(settled([1, 2, 3]), [1, 4, 5]);
    const held = (isr: Ids, elr: Ids = [], lastKnownElr: Ids = []) => cancelled(moving, { isr, elr, lastKnownElr });
    expect(held([1, 4])).toEqual({ replicas: [1, 2, 3], isr: [1], unclean: false });
    expect(held([4, 5])).toEqual({ replicas: [1, 2, 3], isr: [1], unclean: true });
    expect(held([4], [2])).toEqual({ replicas: [1, 2, 3], isr: [1], unclean: true });
    expect(held([], [4, 3], [4])).toEqual({ replicas: [1, 2, 3], isr: [], unclean: false });
    expect(held([], [4], [2])).toEqual({ replicas: [1, 2, 3], isr: [1], unclean: true });
    expect(held([], [], [2])).toEqual({ replicas: [1, 2, 3], isr: [], unclean: false });
    expect(held([], [], [4])).toEqual({ replicas: [1, 2, 3], isr: [1], unclean: true });
  });
});

describe('repl R-107, R-85: one step after the other', () => {
  test('a replica is added: leader epoch kept; it is in sync: the leaver is gone, leader epoch + 1 though the leader stays', () => {
    const desk = orders();
    expect(reassign(desk, [1, 2, 4])).toMatchObject({ error: 'NONE', errorMessage: '' });
    expect([assignment(desk), state(desk, 'orders')]).toEqual(['1,2,4,3 +4 -3', '1/0/1 [1,2,3]']);
    expect(join(desk, [1, 2, 3, 4])).toMatchObject({ error: 'NONE', leader: 1, leaderEpoch: 1, isr: [1, 2, 4] });
    expect([assignment(desk), state(desk, 'orders')]).toEqual(['1,2,4', '1/1/2 [1,2,4]']);
  });

  test('a pure addition ends without a new leader epoch', () => {
    const desk = orders();
    reassign(desk, [1, 2, 3, 4]);
    join(desk, [1, 2, 3, 4]);
    expect([assignment(desk), state(desk, 'orders')]).toEqual(['1,2,3,4', '1/0/2 [1,2,3,4]']);
  });

  test('repl R-83: the order of the replicas counts, and a new one is one record; the same list is none', () => {
    const desk = orders();
    reassign(desk, [3, 1, 2]);
    expect([assignment(desk), state(desk, 'orders')]).toEqual(['3,1,2', '1/0/1 [1,2,3]']);
    expect(reassign(desk, [3, 1, 2])).toMatchObject({ error: 'NONE' });
    expect(state(desk, 'orders')).toBe('1/0/1 [1,2,3]');
  });

  test('a shorter list is reached in the first record already', () => {
    const desk = orders();
    reassign(desk, [2, 3]);
    expect([assignment(desk), state(desk, 'orders')]).toEqual(['2,3', '2/1/1 [2,3]']);
  });

  test('repl R-62: a removed leader hears NEW_LEADER_ELECTED; the first of the new list that is in sync leads', () => {
    const desk = orders();
    reassign(desk, [4, 2, 3]);
    expect(join(desk, [1, 2, 3, 4])).toMatchObject({ error: 'NEW_LEADER_ELECTED', leader: -1 });
    expect([assignment(desk), state(desk, 'orders')]).toEqual(['4,2,3', '4/1/2 [2,3,4]']);
  });

  test('a fencing that takes the last obstacle away ends it, in the same record', () => {
    const desk = orders();
    reassign(desk, [2, 3, 4, 1]);
    heartbeat(desk, 1, { wantFence: true });
    expect([assignment(desk), state(desk, 'orders')]).toEqual(['2,3,4,1 +4', '2/1/2 [2,3]']);
    join(desk, [2, 3, 4]);
    expect([assignment(desk), state(desk, 'orders')]).toEqual(['2,3,4,1', '2/1/3 [2,3,4]']);
  });

  test('the last member of the ISR is fenced on the way: that ends nothing', () => {
    const desk = orders();
    reassign(desk, [4, 5, 6]);
    for (const id of [2, 3, 1]) heartbeat(desk, id, { wantFence: true });
    expect([assignment(desk), state(desk, 'orders')]).toEqual([
      '4,5,6,1,2,3 +4,5,6 -1,2,3',
      '-1/1/4 [] elr [1] last [1]',
    ]);
  });

  test('another target on the way: what has come meanwhile counts as being there', () => {
    const desk = orders();
    reassign(desk, [1, 2, 4]);
    reassign(desk, [1, 2, 5]);
    expect(assignment(desk)).toBe('1,2,5,3,4 +5 -3,4');
    reassign(desk, [1, 2, 3]);
    expect([assignment(desk), state(desk, 'orders')]).toEqual(['1,2,3', '1/1/3 [1,2,3]']);
  });

  test('a restarted controller goes on with it', () => {
    const desk = orders();
    reassign(desk, [1, 2, 4]);
    const next = desk.restart();
    expect(assignment(next)).toBe('1,2,4,3 +4 -3');
    join(next, [1, 2, 4]);
    expect([assignment(next), state(next, 'orders')]).toEqual(['1,2,4', '1/1/2 [1,2,4]']);
  });

  test('repl R-61: an ISR may hold replicas that are being added and removed', () => {
    const desk = orders();
    reassign(desk, [1, 5, 4]);
    expect(join(desk, [1, 3, 4])).toMatchObject({ error: 'NONE', isr: [1, 3, 4] });
  });
});

describe('repl R-107: called off', () => {
  test('the replicas that were added leave the list and the ISR: leader epoch + 1', () => {
    const desk = orders();
    reassign(desk, [1, 5, 4]);
    join(desk, [1, 2, 3, 4]);
    expect(reassign(desk, null).error).toBe('NONE');
    expect([assignment(desk), state(desk, 'orders')]).toEqual(['1,2,3', '1/1/3 [1,2,3]']);
  });

  test('nobody else is in sync: INVALID_REPLICA_ASSIGNMENT unless the topic allows unclean elections', () => {
    const lone = (configs: Record<string, string>): Desk => {
      const desk = orders(configs);
      reassign(desk, [4, 5, 6]);
      join(desk, [1, 4]);
      heartbeat(desk, 1, { wantFence: true });
      expect(state(desk, 'orders')).toBe('4/1/3 [4]');
      return desk;
    };
    const strict = lone({});
    expect(reassign(strict, null).error).toBe('INVALID_REPLICA_ASSIGNMENT');
    expect(state(strict, 'orders')).toBe('4/1/3 [4]');
    const lax = lone({ 'unclean.leader.election.enable': 'true' });
    expect(reassign(lax, null).error).toBe('NONE');
    expect(lax.traced('metadata.committed').at(-1)).toMatchObject({ unclean: true });
    expect(partitionOf(lax, 'orders')).toMatchObject({ replicas: [1, 2, 3], leader: 2, isr: [2], leaderEpoch: 2 });
  });
});

describe('repl R-107, R-98: called off while nobody leads', () => {
  const fence = (desk: Desk, ...ids: Ids) => {
    for (const id of ids) heartbeat(desk, id, { wantFence: true });
  };

  test.each(['true', 'false'])('who is eligible stays so, unclean elections allowed: %s', (allowed) => {
    const desk = orders({ 'unclean.leader.election.enable': allowed });
    reassign(desk, [4, 2, 3]);
    fence(desk, 4, 1, 2, 3);
    expect([assignment(desk), state(desk, 'orders')]).toEqual(['4,2,3,1 +4 -1', '-1/3/4 [] elr [3] last [3]']);
    expect(reassign(desk, null).error).toBe('NONE');
    expect([assignment(desk), state(desk, 'orders')]).toEqual(['2,3,1', '-1/4/5 [] elr [3] last [3]']);
    heartbeat(desk, 3);
    expect(state(desk, 'orders')).toBe('3/5/6 [3]');
    expect(desk.traced('elected').at(-1)).toMatchObject({ leader: 3, unclean: false });
  });

  test('a last leader that has lost its replica is elected no more', () => {
    const desk = orders();
    const leaderless = { ...partitionOf(desk, 'orders'), leader: -1, isr: [1], lastKnownElr: [4] };
    const target = { isr: [], election: { kind: 'online' }, acceptable: (id: number) => id === 4 } as const;
    const circumstances = { minIsr: 1, cleanOnly: true, waitForAll: true };
    const unregistered = { ...target, ineligible: 1, reason: 'unregistered' } as const;
    const { partitionChange } = buildPartitionChange(leaderless, unregistered, circumstances)!;
    expect(partitionChange).toMatchObject({ hasLeader: false, isr: { ids: [] }, lastKnownElr: { ids: [] } });
  });
});

describe('what is refused, in order', () => {
  const rows: [string, Ids | null, { topic: string; partition: number }][] = [
    ['UNKNOWN_TOPIC_OR_PARTITION', [], { topic: 'gone', partition: 0 }],
    ['UNKNOWN_TOPIC_OR_PARTITION', null, { topic: 'orders', partition: 1 }],
    ['NO_REASSIGNMENT_IN_PROGRESS', null, { topic: 'orders', partition: 0 }],
    ['INVALID_REPLICA_ASSIGNMENT', [], { topic: 'orders', partition: 0 }],
    ['INVALID_REPLICA_ASSIGNMENT', [1, 9], { topic: 'orders', partition: 0 }],
    ['INVALID_REPLICA_ASSIGNMENT', [1, 1], { topic: 'orders', partition: 0 }],
    ['INVALID_REPLICATION_FACTOR', [1, 4], { topic: 'orders', partition: 0 }],
  ];
  test.each(rows)('%s for %j of %j', (error, ids, of) => {
    const desk = orders();
    const answer = reassign(desk, ids, false, of);
    expect(answer).toMatchObject({ ...of, error });
    expect(answer.errorMessage).not.toBe('');
    expect(state(desk, 'orders')).toBe('1/0/0 [1,2,3]');
  });

  test('what is being added does not count for the number of replicas', () => {
    const desk = orders();
    reassign(desk, [1, 4, 5]);
    expect(reassign(desk, [1, 4, 6], false).error).toBe('NONE');
  });

  test('a dead broker may be a target: it joins when it is back', () => {
    const desk = orders();
    heartbeat(desk, 4, { wantFence: true });
    expect(reassign(desk, [1, 2, 4]).error).toBe('NONE');
  });
});

test('what is under way is listed: all, or of those asked for', () => {
  const desk = orders();
  createTopic(desk, 'bills', { replicas: [[1], [2]] });
  reassign(desk, [1, 2, 4]);
  reassign(desk, [3], true, { topic: 'bills', partition: 1 });
  const list = (partitions?: { topic: string; partition: number }[]) =>
    desk.call('ListPartitionReassignments', { all: partitions === undefined, partitions: partitions ?? [] }).partitions;
  expect(list()).toEqual([
    { topic: 'orders', partition: 0, replicas: [1, 2, 4, 3], addingReplicas: [4], removingReplicas: [3] },
    { topic: 'bills', partition: 1, replicas: [3, 2], addingReplicas: [3], removingReplicas: [2] },
  ]);
  const asked = [
    { topic: 'bills', partition: 0 },
    { topic: 'bills', partition: 1 },
    { topic: 'gone', partition: 0 },
  ];
  expect(list(asked).map(({ topic, partition }) => [topic, partition])).toEqual([['bills', 1]]);
  expect(desk.call('DescribeCluster', {}).topics[0]?.partitions[0]).toMatchObject({
    ...{ replicas: [1, 2, 4, 3], addingReplicas: [4], removingReplicas: [3] },
  });
});
