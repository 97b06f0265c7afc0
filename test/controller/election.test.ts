// The pure parts: the steps of an election, and the one builder of partition changes (repl ).
import { describe, expect, test } from 'vitest';
import { electLeader, type Election } from '../../src/controller/election.ts';
import { buildPartitionChange, type ChangeTarget } from '../../src/controller/partition-change.ts';
import type { PartitionRegistration } from '../../src/metadata/image.ts';

const [online, preferred, unclean]: Election[] = [{ kind: 'online' }, { kind: 'preferred' }, { kind: 'unclean' }];

describe('repl R-95: the steps of an election', () => {
  const rows: [string, { isr: number[]; leader: number; alive: number[] }, Election, number, boolean][] = [
    ['1 preferred: the first replica, if valid', { isr: [1, 2, 3], leader: 2, alive: [1, 2, 3] }, preferred!, 1, false],
    ['1 preferred: not if outside the ISR', { isr: [2, 3], leader: 2, alive: [1, 2, 3] }, preferred!, 2, false],
    ['1 preferred: not if not acceptable', { isr: [1, 2, 3], leader: 2, alive: [2, 3] }, preferred!, 2, false],
    ['2 the leader in office stays', { isr: [1, 2, 3], leader: 3, alive: [1, 2, 3] }, online!, 3, false],
    [
      '2 the leader in office stays in an unclean election too',
      { isr: [3], leader: 3, alive: [1, 3] },
      unclean!,
      3,
      false,
    ],
    [
      '3 the first valid one in replica order, not ISR order',
      { isr: [3, 2], leader: 1, alive: [2, 3] },
      online!,
      2,
      false,
    ],
    ['3 a fenced ISR member is passed over', { isr: [1, 2, 3], leader: 1, alive: [3] }, online!, 3, false],
    ['3 comes before 5', { isr: [3], leader: -1, alive: [1, 2, 3] }, unclean!, 3, false],
    ['5 unclean: the first acceptable replica', { isr: [1], leader: -1, alive: [2, 3] }, unclean!, 2, true],
    ['5 not unless the election is unclean', { isr: [1], leader: -1, alive: [2, 3] }, online!, -1, false],
    ['5 not in a preferred election', { isr: [1], leader: -1, alive: [2, 3] }, preferred!, -1, false],
    ['6 nobody', { isr: [1, 2], leader: 1, alive: [] }, unclean!, -1, false],
    ['a broker without a replica never leads', { isr: [1], leader: 1, alive: [4] }, unclean!, -1, false],
    ['to: the given node', { isr: [1, 2, 3], leader: 1, alive: [1, 2, 3] }, { kind: 'to', node: 3 }, 3, false],
    ['to: never outside the ISR', { isr: [1, 2], leader: 1, alive: [1, 2, 3] }, { kind: 'to', node: 3 }, 1, false],
  ];
  test.each(rows)('%s', (_name, { isr, leader, alive }, election, expected, isUnclean) => {
    const acceptable = (id: number): boolean => alive.includes(id);
    const result = electLeader({ replicas: [1, 2, 3], isr, leader, acceptable }, election);
    expect(result).toEqual({ leader: expected, unclean: isUnclean });
  });
});

const PARTITION: PartitionRegistration = {
  ...{ topic: 'orders', topicId: 'T', partition: 0, replicas: [1, 2, 3], isr: [1, 2, 3], leader: 1 },
  ...{ leaderEpoch: 5, partitionEpoch: 9, leaderRecoveryState: 'RECOVERED' },
};
const everybody = (): boolean => true;
const change = (from: Partial<PartitionRegistration>, target: Partial<ChangeTarget>) =>
  buildPartitionChange(
    { ...PARTITION, ...from },
    { election: online!, acceptable: everybody, reason: 'fenced', ...target },
  )?.partitionChange;

describe('the builder of partition changes', () => {
  test('repl R-62: a target that is the state already is no record', () => {
    expect(change({}, { isr: [3, 1, 2] })).toBeUndefined();
  });

  test('repl R-85, T-13: an ISR change carries no leader', () => {
    expect(change({}, { isr: [1, 2] })).toMatchObject({ isr: { ids: [1, 2] }, hasLeader: false });
  });

  test('repl R-85, T-13: a lost leader is carried as -1', () => {
    expect(change({ isr: [1] }, { isr: [], acceptable: (id) => id !== 1 })).toMatchObject({
      ...{ hasLeader: true, leader: -1, isr: null, reason: 'fenced' },
    });
  });

  test('repl R-92, T-15, T-34: the last ISR member stays in the ISR and does not lead', () => {
    const record = change({ isr: [1] }, { isr: [], acceptable: everybody });
    expect(record).toMatchObject({ isr: null, hasLeader: true, leader: -1 });
    expect(change({ isr: [1], leader: -1 }, { isr: [], acceptable: everybody })).toBeUndefined();
  });

  test('T-14: the ISR decides, in replica order', () => {
    expect(change({ isr: [3, 2, 1] }, { isr: [3, 2], acceptable: (id) => id !== 1 })).toMatchObject({ leader: 2 });
  });

  test('repl R-97: an unclean winner is the whole ISR and recovers', () => {
    const dead = (id: number): boolean => id !== 1;
    expect(change({ isr: [1] }, { isr: [], acceptable: dead, election: unclean! })).toMatchObject({
      ...{ isr: { ids: [2] }, hasLeader: true, leader: 2, leaderRecoveryState: 'RECOVERING', reason: 'unclean' },
    });
  });

  test('repl R-97: recovering once more is not carried again', () => {
    const before = { isr: [1], leader: -1, leaderRecoveryState: 'RECOVERING' } as const;
    expect(change(before, { election: unclean!, acceptable: (id) => id === 3 })).toMatchObject({
      ...{ isr: { ids: [3] }, leader: 3, leaderRecoveryState: '', reason: 'unclean' },
    });
  });

  test('repl R-85: a recovery state alone', () => {
    const record = change({ leaderRecoveryState: 'RECOVERING' }, { leaderRecoveryState: 'RECOVERED' });
    expect(record).toMatchObject({ isr: null, hasLeader: false, leaderRecoveryState: 'RECOVERED' });
  });
});
