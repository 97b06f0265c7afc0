// The known weaknesses of the protocol (txn section 13), and what each other safeguard protects from, as scenarios in
// the simulator: each variant is what it declares. With its defence off the anomaly appears and a checker names it;
// with it on the run is clean and its transactions come to an end. W-1 and W-2 are among the stories
// (scenarios.test.ts).
import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { judge } from '../../src/chaos/judge.ts';
import { readScenario } from '../../src/chaos/read-scenario.ts';
import { runInSimulator } from '../../src/chaos/run-in-simulator.ts';

const FILES = ['scenarios/weaknesses', 'scenarios/safeguards'].flatMap((folder) =>
  readdirSync(folder)
    .sort()
    .map((name) => `${folder}/${name}`),
);
const SEEDS = ['1', '2'];

describe.each(FILES)('%s', (file) => {
  const text = readFileSync(file, 'utf8');

  test.each(SEEDS)('seed %s: every variant and cell is what it declares', (seed) => {
    for (const plan of readScenario(text, file, { seed })) {
      const { outcome, history, violations } = runInSimulator(plan);
      const { verdict, reasons } = judge(plan, outcome, history);
      expect([plan.variant, plan.cell, verdict, reasons]).toEqual([plan.variant, plan.cell, 'pass', []]);
      expect(outcome.unfired).toEqual([]);
      if (plan.safeguardsOff.length === 0) expect(violations).toEqual([]);
    }
  });

  test('its name is its file, and it teaches something', () => {
    const [plan] = readScenario(text, file);
    expect(`${plan!.name}.yaml`).toBe(basename(file));
    expect(text).toMatch(/^summary: .+\nteaches: .+$/m);
  });
});
