// The crash-point table (txn section 10): every row is a schedule that can be read, a handful of them run here, and the table
// can turn red: for a protection that is off, and for a point that nobody comes to.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { CellVerdict } from '../../src/chaos/crash-points/judge.ts';
import type { CrashPoint } from '../../src/chaos/crash-points/row.ts';
import { ROWS } from '../../src/chaos/crash-points/rows.ts';
import { runCell } from '../../src/chaos/crash-points/run-cell.ts';
import { markdown, verdictOfRow } from '../../src/chaos/crash-points/table.ts';
import { cellsOf, planOf, scenarioText, type Cell } from '../../src/chaos/crash-points/template.ts';
import { readScenario } from '../../src/chaos/read-scenario.ts';
import type { Safeguard } from '../../src/fault/safeguards.ts';

function row(id: string): CrashPoint {
  return ROWS.find((each) => each.id === id)!;
}

function run(of: CrashPoint, choice: Partial<Cell> = {}, safeguardsOff: readonly Safeguard[] = []): CellVerdict[] {
  return cellsOf(of, choice).map((cell) => runCell(of, cell, { seed: '1', safeguardsOff }));
}

describe('the rows', () => {
  test('all 97 of the table are there, in its order', () => {
    expect(ROWS.map(({ id }) => id)).toEqual(Array.from({ length: 97 }, (_, at) => `CP-${at + 1}`));
  });

  test('docs/crash-points.md is of these rows, and all green', () => {
    const lines = readFileSync('docs/crash-points.md', 'utf8').split('\n');
    for (const each of ROWS) {
      const line = lines.find((text) => text.startsWith(`| ${each.id} |`)) ?? `no line of ${each.id}`;
      for (const part of [each.name, each.victim, each.point, each.requires]) expect(line).toContain(part);
      expect(line).toMatch(/\| green \|$/);
    }
  });

  test('each has a name of its own, and says why cells are missing', () => {
    expect(new Set(ROWS.map(({ name }) => name)).size).toBe(ROWS.length);
    for (const { id, fates, versions, omits } of ROWS) {
      const whole = fates.commit !== undefined && fates.abort !== undefined && versions === undefined;
      expect([id, whole || omits !== undefined]).toEqual([id, true]);
    }
  });

  test.each(ROWS.map((each) => [each.id, each] as const))(
    '%s: its schedule is a scenario, in every cell',
    (_, each) => {
      const cells = cellsOf(each);
      expect(cells.length).toBeGreaterThan(0);
      expect(readScenario(scenarioText(each), 'row.yaml')).toHaveLength(cells.length);
      for (const cell of cells) {
        const plan = planOf(each, cell, '7');
        expect([plan.seed, plan.cell['outcome'], plan.cell['version']]).toEqual(['7', cell.outcome, cell.version]);
        expect(plan.faults.some(({ id }) => id === 'crash')).toBe(true);
      }
    },
  );
});

describe('txn T-185: run in the simulator', () => {
  test.each(['CP-7', 'CP-15', 'CP-32', 'CP-36', 'CP-43', 'CP-53', 'CP-66', 'CP-76', 'CP-80'])(
    '%s is green in every cell',
    (id) => {
      const cells = run(row(id), { version: 2 });
      expect(cells.map(({ reasons }) => reasons)).toEqual(cells.map(() => []));
      expect(
        cells.every(({ fired, allowed, fate }) => fired['crash'] === 1 && (allowed as string[]).includes(fate)),
      ).toBe(true);
    },
  );

  test('a cell runs the same each time', () => {
    const [once, again] = [run(row('CP-41')), run(row('CP-41'))];
    expect(again).toEqual(once);
  });
});

describe('the table can turn red', () => {
  test('CP-36 without txn.prepareDurable: a marker of a decision that is lost tears the transaction', () => {
    const cells = run(row('CP-36'), { version: 2 }, ['txn.prepareDurable']);
    expect(cells.map(({ verdict, fate }) => [verdict, fate])).toEqual(cells.map(() => ['red', 'torn']));
    expect(cells[0]!.reasons.join()).toMatch(/torn-txn/);
  });

  test.each([
    ['CP-53', 'txn.coordEpochFence'],
    ['CP-43', 'txn.markerIdempotent'],
    ['CP-41', 'txn.markerRetry'],
  ] as const)('%s without %s', (id, safeguard) => {
    const cells = run(row(id), { version: 2, outcome: 'commit' }, [safeguard]);
    expect(cells.map(({ verdict }) => verdict)).toEqual(cells.map(() => 'red'));
  });

  test('a row whose point nobody comes to, whatever the outcome', () => {
    const [crash] = row('CP-33').faults;
    const never: CrashPoint = { ...row('CP-33'), faults: [{ ...crash!, where: { transactionalId: 'another' } }] };
    const cells = run(never, { version: 2, back: 'stays-dead' });
    expect(cells.map(({ verdict, fate }) => [verdict, fate])).toEqual([['red', 'C']]);
    expect(cells[0]!.reasons.join()).toMatch(/crash never fired/);
    const result = { row: never, cells };
    expect(verdictOfRow(result)).toBe('red');
    expect(markdown([result], { command: 'x', where: 'here' })).toMatch(/CP-33 \|.*never, 0 of 1.*\| red \|/);
  });

  test('an outcome that the row does not allow', () => {
    const cells = run({ ...row('CP-37'), fates: { commit: ['A'] } }, { version: 1, back: 'restarts' });
    expect(cells[0]!.reasons).toContain('the outcome is C, and must be A');
  });
});
