// The checkers against a model of a correct cluster: what it makes is never suspected, and what is broken in it is always
// found under its name.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkHistory } from '../../src/checker/check.ts';
import type { AnomalyName } from '../../src/checker/findings.ts';
import type { HistoryEntry } from '../../src/history/operations.ts';
import { ModelCluster } from './model-cluster.ts';
import { mutations } from './mutations.ts';

const STEPS = 150;
const RUNS = { seed: 3, numRuns: 150 };

const made = (seed: number): HistoryEntry[] => new ModelCluster(seed, STEPS).entries;
const names = (entries: readonly HistoryEntry[]): AnomalyName[] =>
  checkHistory(entries).anomalies.map(({ anomaly }) => anomaly);

describe('a correct cluster', () => {
  test('is never suspected, and nothing about it is undecided', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const { anomalies, inconclusive } = checkHistory(made(seed));
        expect({ anomalies, inconclusive }).toEqual({ anomalies: [], inconclusive: [] });
      }),
      RUNS,
    );
  });
});

describe.each(mutations)('broken: $what', ({ finds, mutate }) => {
  test(`is found as ${finds}`, () => {
    let broken = 0;
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const entries = mutate(made(seed));
        if (entries === undefined) return;
        broken += 1;
        expect(names(entries.map((entry, index) => ({ ...entry, index })))).toContain(finds);
      }),
      { ...RUNS, numRuns: 40 },
    );
    expect(broken).toBeGreaterThan(20); // The model must have given it something to break.
  });
});
