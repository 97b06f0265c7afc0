// Crash points on real processes: whoever comes to the point dies by a real SIGKILL there. The event file of the dead ends with
// the point, its exit as the agent saw it is SIGKILL, and the log that the point is about holds nothing behind it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CellVerdict } from '../../../src/chaos/crash-points/judge.ts';
import { GROUPS } from '../../../src/chaos/crash-points/row.ts';
import { ROWS } from '../../../src/chaos/crash-points/rows.ts';
import { Highwater } from '../support/highwater.ts';

interface Report {
  readonly verdict: string;
  readonly data: readonly { readonly row: string; readonly cells: readonly CellVerdict[] }[];
}

/** At least one of each group, in two commands side by side: a run waits more than it works. */
const CHOSEN = [
  ['CP-2', 'CP-6', 'CP-10', 'CP-13', 'CP-19', 'CP-27', 'CP-33', 'CP-37', 'CP-38', 'CP-41', 'CP-44'],
  ['CP-46', 'CP-52', 'CP-57', 'CP-62', 'CP-65', 'CP-67', 'CP-74', 'CP-75', 'CP-77', 'CP-81', 'CP-86', 'CP-96'],
];
/** Its leader is killed from outside, at a moment, not by itself at a point. */
const FROM_OUTSIDE = 'CP-81';

let highwater: Highwater;
beforeAll(async () => {
  highwater = await Highwater.build();
});
afterAll(async () => {
  expect(await highwater.close()).toEqual([]);
});

test('at least twenty rows that die at their point, and one of each group', () => {
  const chosen = CHOSEN.flat();
  expect(chosen.filter((id) => id !== FROM_OUTSIDE).length).toBeGreaterThanOrEqual(20);
  const groups = ROWS.filter(({ id }) => chosen.includes(id)).map(({ group }) => group);
  expect(GROUPS.filter((group) => !groups.includes(group))).toEqual([]);
});

test('each is green, and the point was the last thing that the dead one did', async () => {
  const runs = CHOSEN.map((rows) => highwater.run(['crash-points', 'run', ...rows, '--processes', '--json', '-q']));
  for (const [at, { stdout, code }] of (await Promise.all(runs)).entries()) {
    const { data, verdict } = JSON.parse(stdout) as Report;
    const cells = data.flatMap((row) => row.cells);
    expect(cells.map(({ row, verdict: is, reasons }) => [row, is, reasons])).toEqual(
      CHOSEN[at]!.map((row) => [row, 'green', []]),
    );
    const atPoint = cells.filter(({ row }) => row !== FROM_OUTSIDE);
    expect(atPoint.map(({ fired, death }) => [fired['crash'], death?.signal, death?.problems])).toEqual(
      atPoint.map(() => [1, 'SIGKILL', []]),
    );
    expect([verdict, code]).toEqual(['green', 0]);
  }
  await highwater.untilNothingRuns();
});
