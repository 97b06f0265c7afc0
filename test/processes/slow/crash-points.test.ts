// Crash points on real processes: whoever comes to the point dies by a real SIGKILL there. The event file of the dead ends with
// the point, its exit as the agent saw it is SIGKILL, and the log that the point is about holds nothing behind it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CellVerdict } from '../../../src/chaos/crash-points/judge.ts';
import type { VerdictLine } from '../../../src/chaos/report.ts';
import { GROUPS } from '../../../src/chaos/crash-points/row.ts';
import { ROWS } from '../../../src/chaos/crash-points/rows.ts';
import { Highwater } from '../support/highwater.ts';

interface Report {
  readonly data: readonly { readonly row: string; readonly cells: readonly CellVerdict[] }[];
}

/** At least one of each group. Those of a line run in two commands side by side: a run waits more than it works. */
const CHOSEN = [
  ['CP-2', 'CP-6', 'CP-10', 'CP-13', 'CP-19', 'CP-27'],
  ['CP-33', 'CP-37', 'CP-38', 'CP-41', 'CP-44', 'CP-46'],
  ['CP-52', 'CP-57', 'CP-62', 'CP-65', 'CP-67', 'CP-74'],
  ['CP-75', 'CP-77', 'CP-81', 'CP-86', 'CP-96'],
];
/** Its leader is killed from outside, at a moment, not by itself at a point. */
const FROM_OUTSIDE = 'CP-81';

let highwater: Highwater;
beforeAll(() => {
  highwater = new Highwater();
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

test('a row is shown as a scenario, which runs as any other file', async () => {
  const file = join(highwater.folder('rows'), 'cp-36.yaml');
  const cell = ['--outcome', 'commit', '--transaction-version', '2', '--victim', 'restarts'];
  writeFileSync(file, await highwater.ok('crash-points', 'show', 'CP-36', ...cell));
  const printed = await highwater.ok('run', file, '--sim', '--json', '-q');
  const [verdict] = printed
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as VerdictLine);
  expect(verdict).toMatchObject({
    scenario: 'cp-36-prepare-commit-appended-unreplicated',
    verdict: 'pass',
    reasons: [],
  });
  expect(verdict?.fired['crash']).toBe(1);
});

test('a row that does not exist, and a cell that a row does not have, say what there is', async () => {
  const none = await highwater.run(['crash-points', 'show', 'CP-999']);
  expect([none.code, none.stderr]).toEqual([2, expect.stringMatching(/no crash point "CP-999"/)]);
  const noCell = await highwater.run(['crash-points', 'show', 'CP-36', '--outcome', 'abort']);
  expect([noCell.code, noCell.stderr]).toEqual([2, expect.stringMatching(/CP-36 has no such cell: the abort twin/)]);
});

test.each(CHOSEN)(
  '%s and the rest of the line: green, and the point was the last thing that the dead one did',
  async (...rows) => {
    const lanes = [rows.slice(0, 3), rows.slice(3)];
    const runs = lanes.map((lane) => highwater.run(['crash-points', 'run', ...lane, '--processes', '--json', '-q']));
    const ended = await Promise.all(runs);
    const cells = ended.flatMap(({ stdout }) => (JSON.parse(stdout) as Report).data.flatMap((row) => row.cells));
    expect(cells.map(({ row, verdict, reasons }) => [row, verdict, reasons])).toEqual(
      rows.map((row) => [row, 'green', []]),
    );
    const atPoint = cells.filter(({ row }) => row !== FROM_OUTSIDE);
    expect(atPoint.map(({ fired, death }) => [fired['crash'], death?.signal, death?.problems])).toEqual(
      atPoint.map(() => [1, 'SIGKILL', []]),
    );
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    await highwater.untilNothingRuns();
  },
);
