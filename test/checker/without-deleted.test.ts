// Topics that are deleted take along what groups have committed for them, and what was made from their records owes nothing.
import { expect, test } from 'vitest';
import { checkHistory } from '../../src/checker/check.ts';
import type { HistoryEntry } from '../../src/history/operations.ts';
import { history, quiet } from './histories.ts';

const commit = (op: number, offsets: Record<string, number>) =>
  (['invoke', 'ok'] as const).map(
    (type) => ({ f: 'commit-offsets', type, process: 'm', op, group: 'g', offsets }) as const,
  );
const look = (op: number, offsets: Record<string, number>) => [
  { f: 'fetch-offsets', type: 'invoke', process: 'm', op, group: 'g' } as const,
  { f: 'fetch-offsets', type: 'ok', process: 'm', op, group: 'g', offsets } as const,
];
const committed = (offsets: Record<string, number>) =>
  ({ f: 'committed', type: 'info', process: 'observer', group: 'g', offsets, unstable: [] }) as const;

const anomalies = (entries: HistoryEntry[]): string[] =>
  checkHistory(entries).anomalies.map(({ anomaly, partition }) => `${anomaly} ${partition}`);

test('offsets of a deleted topic come to nothing, those of others do not', () => {
  const deletion = {
    f: 'budget',
    type: 'info',
    process: 'faults',
    what: 'topic-deletion',
    partition: 'side-0',
  } as const;
  const both = (offset: number) => ({ 'side-0': offset, 'orders-0': offset });
  const before = [...commit(0, both(5)), ...look(1, both(5))];
  const after = [...look(2, both(-1)), committed(both(-1)), quiet()];
  expect(anomalies(history(...before, ...after)).sort()).toEqual([
    'false-ok orders-0',
    'false-ok side-0',
    'lost-offset-commit orders-0',
    'lost-offset-commit side-0',
    'offset-regression orders-0',
    'offset-regression side-0',
  ]);
  expect(anomalies(history(...before, deletion, ...after)).sort()).toEqual([
    'false-ok orders-0',
    'lost-offset-commit orders-0',
    'offset-regression orders-0',
  ]);
});
