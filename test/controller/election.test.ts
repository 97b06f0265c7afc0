// The pure parts: the steps of an election, and the one builder of partition changes (repl ).
import { describe, expect, test } from 'vitest';
import { electLeader, type Election } from '../../src/controller/election.ts';
import { buildPartitionChange, type ChangeTarget, type Circumstances } from '../../src/controller/partition-change.ts';
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
    const electorate = { replicas: [1, 2, 3], isr, elr: [], lastKnown: -1, leader, acceptable };
    expect(electLeader(electorate, election)).toEqual({ leader: expected, how: isUnclean ? 'unclean' : 'clean' });
  });

  interface Below {
    readonly isr: number[];
    readonly elr: number[];
    readonly lastKnown?: number;
    readonly alive: number[];
  }
  const below: [string, Below, Election, number, string][] = [
    ['the ELR counts while the ISR is empty', { isr: [], elr: [3, 2], alive: [1, 2, 3] }, online!, 2, 'clean'],
    ['and not while it has members', { isr: [1], elr: [2], alive: [2] }, online!, -1, 'clean'],
    ['1 preferred: one of the ELR as well', { isr: [], elr: [1, 2], alive: [1, 2] }, preferred!, 1, 'clean'],
    ['to: one of the ELR as well', { isr: [], elr: [1, 3], alive: [1, 3] }, { kind: 'to', node: 3 }, 3, 'clean'],
    ['4 the last-known leader', { isr: [], elr: [], lastKnown: 3, alive: [1, 2, 3] }, online!, 3, 'last-known'],
    ['4 repl R-96: not if it is fenced', { isr: [], elr: [], lastKnown: 3, alive: [1, 2] }, online!, -1, 'clean'],
    ['4 not while anybody is eligible', { isr: [], elr: [2], lastKnown: 3, alive: [1, 3] }, online!, -1, 'clean'],
    ['4 not while the ISR has members', { isr: [2], elr: [], lastKnown: 3, alive: [3] }, online!, -1, 'clean'],
    ['4 comes before 5', { isr: [], elr: [], lastKnown: 3, alive: [1, 2, 3] }, unclean!, 3, 'last-known'],
    ['5 if the last-known leader is away', { isr: [], elr: [], lastKnown: 3, alive: [2] }, unclean!, 2, 'unclean'],
  ];
  test.each(below)('%s', (_name, { isr, elr, lastKnown = -1, alive }, election, leader, how) => {
    const acceptable = (id: number): boolean => alive.includes(id);
    const electorate = { replicas: [1, 2, 3], isr, elr, lastKnown, leader: -1, acceptable };
    expect(electLeader(electorate, election)).toEqual({ leader, how });
  });
});

const PARTITION: PartitionRegistration = {
  ...{ topic: 'orders', topicId: 'T', partition: 0, replicas: [1, 2, 3], isr: [1, 2, 3], leader: 1 },
  ...{ leaderEpoch: 5, partitionEpoch: 9, leaderRecoveryState: 'RECOVERED' },
  ...{ adding: [], removing: [], elr: [], lastKnownElr: [] },
};
const everybody = (): boolean => true;
const change = (
  from: Partial<PartitionRegistration>,
  target: Partial<ChangeTarget>,
  more: Partial<Circumstances> = {},
) =>
  buildPartitionChange(
    { ...PARTITION, ...from },
    { election: online!, acceptable: everybody, reason: 'fenced', ...target },
    { cleanOnly: true, waitForAll: true, ...more },
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

describe('repl R-98: eligible leader replicas', () => {
  const below = (from: Partial<PartitionRegistration>, target: Partial<ChangeTarget>) =>
    change(from, target, { minIsr: 2 });
  const not = (gone: number) => (id: number) => id !== gone;

  test('who leaves an ISR that is large enough is not eligible', () => {
    expect(below({}, { isr: [1, 2] })).toMatchObject({ isr: { ids: [1, 2] }, elr: null });
  });

  test('who leaves one that is not, is', () => {
    expect(below({ isr: [1, 2] }, { isr: [1] })).toMatchObject({ isr: { ids: [1] }, elr: { ids: [2] } });
  });

  test('repl R-92, T-40: the last member leaves too, and the partition remembers who led it', () => {
    const last = below({ isr: [1], elr: [2] }, { isr: [], acceptable: () => false });
    expect(last).toMatchObject({ leader: -1, hasLeader: true, isr: { ids: [] }, elr: { ids: [2, 1] } });
    expect(last).toMatchObject({ lastKnownElr: { ids: [1] } });
  });

  test('or another that is eligible leads on: it is the ISR, the others stay eligible', () => {
    const next = below({ isr: [1], elr: [2, 3] }, { isr: [], acceptable: not(1) });
    expect(next).toMatchObject({ leader: 2, isr: { ids: [2] }, elr: { ids: [3, 1] }, leaderRecoveryState: '' });
    expect(next).toMatchObject({ lastKnownElr: null, reason: 'fenced' });
  });

  test('an ISR that is large enough again ends it', () => {
    const grown = below({ isr: [1], elr: [2], lastKnownElr: [] }, { isr: [1, 3], reason: 'isr-expand' });
    expect(grown).toMatchObject({ isr: { ids: [1, 3] }, elr: { ids: [] } });
  });

  test('who has restarted uncleanly is not eligible, whether it was in the ISR or in the ELR', () => {
    const fromIsr = below({ isr: [1], elr: [2] }, { isr: [], ineligible: 1, acceptable: not(1) });
    expect(fromIsr).toMatchObject({ leader: 2, isr: { ids: [2] }, elr: { ids: [] } });
    const fromElr = below({ isr: [1], elr: [2] }, { ineligible: 2, acceptable: not(2) });
    expect(fromElr).toMatchObject({ isr: null, elr: { ids: [] }, hasLeader: false });
  });

  test('repl R-95, R-97: the last-known leader is elected as unclean, and is forgotten by that', () => {
    const gone = { isr: [], elr: [], leader: -1, lastKnownElr: [2] };
    expect(below(gone, { reason: 'unfenced' })).toMatchObject({
      ...{ leader: 2, isr: { ids: [2] }, leaderRecoveryState: 'RECOVERING', reason: 'last-known' },
      ...{ lastKnownElr: { ids: [] } },
    });
  });

  test('it is whoever led when there was a leader last, not who left last', () => {
    const gone = { isr: [], elr: [1, 2], leader: -1, lastKnownElr: [1] };
    expect(below(gone, { ineligible: 1, acceptable: () => false })).toMatchObject({
      ...{ elr: { ids: [2] }, lastKnownElr: null },
    });
  });

  test('an unclean election forgets who was eligible', () => {
    const gone = { isr: [], elr: [1], leader: -1, lastKnownElr: [1] };
    const elected = below(gone, { election: unclean!, acceptable: (id) => id === 3 });
    expect(elected).toMatchObject({ leader: 3, isr: { ids: [3] }, elr: { ids: [] }, reason: 'unclean' });
  });
});

test('elect.clean: without it whoever lives is elected, and nothing says so', () => {
  const lone = { isr: [1] };
  const target = { isr: [], acceptable: (id: number) => id > 1 };
  expect(change(lone, target)).toMatchObject({ leader: -1 });
  expect(change(lone, target, { cleanOnly: false })).toMatchObject({
    ...{ leader: 2, isr: { ids: [2] }, leaderRecoveryState: '', reason: 'fenced' },
  });
});
