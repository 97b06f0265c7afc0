// Where readers stand, as a run knows it while it waits for them.
import { expect, test } from 'vitest';
import { stableEnds, Standings } from '../../src/chaos/standings.ts';
import { moved, polled } from '../checker/histories.ts';
import { member } from '../checker/transaction-histories.ts';

const ends = stableEnds([
  { partition: 'orders-0', lastStableOffset: 2 },
  { partition: 'orders-0', lastStableOffset: 3 },
]);

test('a reader is behind while it stands below the farthest end, by reading or by moving', () => {
  const standings = new Standings();
  const isBehind = (): boolean => standings.isBehind('r', ends);
  expect(isBehind()).toBe(false); // It stands nowhere.
  standings.take(moved('r', 'start', -1, 0));
  expect(isBehind()).toBe(true);
  standings.take(polled('r', 0, ['a', 'b']));
  expect(isBehind()).toBe(true);
  standings.take(polled('r', 2, [], 3));
  expect(isBehind()).toBe(false);
  standings.take(moved('r', 'seek', 3, 1));
  expect([isBehind(), standings.isBehind('s', ends), standings.isBehind('r', new Map())]).toEqual([true, false, false]);
});

test('a member is not behind where it has nothing to read any more', () => {
  const standings = new Standings();
  for (const f of ['revoked', 'lost', 'assigned'] as const) {
    standings.take(moved('m', 'start', -1, 0));
    expect(standings.isBehind('m', ends)).toBe(true);
    standings.take(member(f, 'm', 1));
    expect(standings.isBehind('m', ends)).toBe(false);
  }
});
