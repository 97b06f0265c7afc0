// The shipped scenarios in the simulator, for several seeds: each variant is what it declares. That a safeguard is the only
// difference between a clean run and a found anomaly is what proves the checkers able to fail (design section 6).
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { judge } from '../../src/chaos/judge.ts';
import { readScenario } from '../../src/chaos/read-scenario.ts';
import { runInSimulator } from '../../src/chaos/run-in-simulator.ts';
import type { Stamped } from '../../src/trace/events.ts';

const SEEDS = ['1', '2', '3', '4', '5'];
const OF_REPLICAS = ['ghost-read', 'kip-101-loss', 'kip-101-divergence', 'retry-twice', 'overtaken', 'failing-disk'];

describe.each(OF_REPLICAS)('%s', (name) => {
  const text = readFileSync(`scenarios/${name}.yaml`, 'utf8');

  test.each(SEEDS)('seed %s: every variant is what it declares', (seed) => {
    for (const plan of readScenario(text, `${name}.yaml`, { seed })) {
      const { outcome, history, violations } = runInSimulator(plan);
      const { verdict, reasons } = judge(plan, outcome, history);
      expect([plan.variant, verdict, reasons]).toEqual([plan.variant, 'pass', []]);
      expect(Object.values(outcome.fired).every((count) => count > 0)).toBe(true);
      if (plan.safeguardsOff.length === 0) expect(violations).toEqual([]);
    }
  });

  test('variants differ in safeguards and expectations alone', () => {
    const [first, ...others] = readScenario(text, `${name}.yaml`);
    for (const other of others) {
      const { variant, safeguardsOff, expectations } = first!;
      expect({ ...other, variant, safeguardsOff, expectations }).toEqual(first);
    }
  });
});

const TRANSACTIONAL = [
  'consume-transform-produce',
  'coordinator-failover',
  'zombie-fenced',
  'hanging-transaction',
  'delayed-endtxn',
  'long-transaction',
];

describe.each(TRANSACTIONAL)('%s', (name) => {
  const text = readFileSync(`scenarios/${name}.yaml`, 'utf8');

  test.each(SEEDS)('seed %s: every variant and cell is what it declares', (seed) => {
    for (const plan of readScenario(text, `${name}.yaml`, { seed })) {
      const { outcome, history, violations } = runInSimulator(plan);
      const { verdict, reasons } = judge(plan, outcome, history);
      expect([plan.variant, plan.cell, verdict, reasons]).toEqual([plan.variant, plan.cell, 'pass', []]);
      if (plan.safeguardsOff.length === 0) expect(violations).toEqual([]);
      expect(Object.values(outcome.fired).every((count) => count > 0)).toBe(true);
    }
  });
});

describe('BUG-08: the first batch of a producer is lost, and the second arrives', () => {
  const text = readFileSync('scenarios/overtaken.yaml', 'utf8')
    .replace('nth: 3', 'nth: 1')
    .replace('gapReject', 'firstIsZero');

  test.each(SEEDS)('seed %s: it waits for the first; taken before it (KAFKA-15591), the first never lands', (seed) => {
    const [kafka, off] = readScenario(text, 'overtaken.yaml', { seed }).map((plan) => runInSimulator(plan));
    const outcomes = (run: typeof kafka): string[] =>
      (run?.history ?? []).flatMap((entry) =>
        entry.f === 'send' && entry.type !== 'invoke' ? [`${entry.value} ${entry.type}`] : [],
      );
    expect(outcomes(kafka)).toEqual(['m0 ok', 'm1 ok', 'm2 ok', 'm3 ok', 'm4 ok']);
    expect(kafka?.violations).toEqual([]);
    expect(outcomes(off)).toEqual(['m1 ok', 'm2 ok', 'm3 ok', 'm4 ok', 'm0 info']);
    expect(off?.violations.map(({ invariant }) => invariant)).toEqual(['repl I-26']);
  });
});

test('ghost-read: the high watermark alone decides; the reader of a KIP-320 client is told where its log was cut', () => {
  const text = readFileSync('scenarios/ghost-read.yaml', 'utf8');
  const [kafka, , kip320] = readScenario(text, 'ghost-read.yaml').map((plan) => runInSimulator(plan).history);
  const moves = (history: typeof kafka): string[] =>
    (history ?? []).flatMap((entry) =>
      entry.f === 'position' && entry.process === 'r1' ? [`${entry.why} ${entry.from} -> ${entry.to}`] : [],
    );
  expect(moves(kafka)).toEqual(['start -1 -> 0']);
  expect(moves(kip320)).toEqual(['start -1 -> 0', 'truncated 8 -> 5']);
});

test.each(['commit', 'abort'])(
  'long-transaction, txn T-129, T-148: the %s moves the last stable offset in one step',
  (end) => {
    const text = readFileSync('scenarios/long-transaction.yaml', 'utf8');
    const plan = readScenario(text, 'long-transaction.yaml', { variant: 'kafka' }).find(
      ({ cell }) => cell['end'] === end,
    )!;
    const stable: number[] = [];
    const onEvent = ({ node, event }: Stamped): void => {
      if (event.type === 'lso' && event.topic === 'orders' && node === 1) stable.push(event.to);
    };
    const { history } = runInSimulator(plan, { onEvent });
    // 101 to 150 are other transactions and plain records, 151 is the marker.
    expect([...new Set(stable.filter((offset) => offset >= 100))]).toEqual([100, 152]);
    const read = history.flatMap((entry) =>
      entry.f === 'poll' && entry.process === 'rc' ? (entry.records ?? []) : [],
    );
    const values = read.map(({ value }) => value);
    expect(values.slice(100, 102)).toEqual(end === 'commit' ? ['long', '101'] : ['101', '102']);
    expect(values.length).toBe(100 + (end === 'commit' ? 1 : 0) + 9 + 10 + 19 + 10);
  },
);
