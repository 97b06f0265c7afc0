// The corpus of failures in the simulator: every variant of every file is what it declares, under several seeds; what is shown
// by a test of a core is cited there.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CORPUS } from '../../src/chaos/corpus.ts';
import { judge } from '../../src/chaos/judge.ts';
import { readScenario } from '../../src/chaos/read-scenario.ts';
import { runInSimulator } from '../../src/chaos/run-in-simulator.ts';

const FOLDER = 'scenarios/corpus';
const SEEDS = ['1', '2', '3'];
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.yaml'));
const bug = (number: number | string): string => `bug-${String(number).padStart(2, '0')}`;

test('every number of the headlines and every even one has a row; what a row names is there, and nothing else is', () => {
  const numbers = Object.keys(CORPUS).map(Number);
  expect(numbers.every((number) => number >= 1 && number <= 90)).toBe(true);
  const wanted = Array.from({ length: 90 }, (_, at) => at + 1).filter((each) => each <= 15 || each % 2 === 0);
  expect(numbers.filter((number) => wanted.includes(number))).toEqual(wanted);
  const named = Object.entries(CORPUS).flatMap(([number, row]) =>
    'file' in row ? [[bug(number), `${row.file}.yaml`]] : [],
  );
  for (const [start, file] of named) expect(file).toMatch(new RegExp(`^${start}-`));
  // A schedule that several protections need is one file, or one each: bug-05-x, bug-05-y.
  expect(named.map(([, file]) => file).filter((file) => !files.includes(file!))).toEqual([]);
  const starts = named.map(([start]) => start);
  expect(files.filter((file) => !starts.includes(file.slice(0, 6)))).toEqual([]);
});

test.each(Object.entries(CORPUS).flatMap(([number, row]) => ('test' in row ? [[bug(number), row.test]] : [])))(
  '%s is cited by %s',
  (name, file) => {
    expect(readFileSync(file!, 'utf8')).toContain(name!.toUpperCase());
  },
);

describe.each(files)('%s', (name) => {
  const text = readFileSync(`${FOLDER}/${name}`, 'utf8');

  test.each(SEEDS)('seed %s: every variant is what it declares', (seed) => {
    for (const plan of readScenario(text, name, { seed })) {
      const { outcome, history, violations } = runInSimulator(plan);
      const { verdict, reasons } = judge(plan, outcome, history);
      expect([plan.variant, verdict, reasons]).toEqual([plan.variant, 'pass', []]);
      expect([plan.variant, Object.values(outcome.fired).every((count) => count > 0)]).toEqual([plan.variant, true]);
      if (plan.safeguardsOff.length === 0) expect(violations).toEqual([]);
    }
  });
});
