// Duplicates and reorderings, looked for where producers are idempotent: each on the anomaly and on its look-alikes.
import { describe, expect, test } from 'vitest';
import { checkHistory } from '../../src/checker/check.ts';
import type { NewEntry } from '../../src/history/operations.ts';
import { agreed, history, moved, polled, replica, sent } from './histories.ts';

const numbered = (value: string, outcome: number | 'info', process = 'p'): NewEntry[] =>
  sent(value, outcome, { idempotent: true, process });
const unclean: NewEntry = {
  f: 'budget',
  type: 'info',
  process: 'run',
  what: 'unclean-election',
  partition: 'orders-0',
};

type Entries = Parameters<typeof history>;
const check = (...entries: Entries) => checkHistory(history(...entries), ['duplicate', 'reorder']);
const found = (...entries: Entries): unknown[] =>
  check(...entries).anomalies.map(({ anomaly, details, ops }) => [anomaly, details['value'], details['offset'], ops]);

describe('duplicate', () => {
  test('a value at two offsets of one final log, acknowledged or not', () => {
    expect(found(numbered('a', 0), agreed(['a', 'a']))).toEqual([['duplicate', 'a', 0, [0, 2]]]);
    expect(found(numbered('a', 'info'), agreed(['x', 'a', 'y', 'a']))).toEqual([['duplicate', 'a', 1, [0, 2]]]);
  });
  test('a reader was given it twice', () => {
    expect(found(numbered('a', 0), polled('r', 0, ['a']), polled('r', 1, ['a']))).toEqual([
      ['duplicate', 'a', 0, [0, 2, 3]],
    ]);
  });
  test('it is reported once, whoever saw it', () => {
    const twice = found(numbered('a', 0), polled('r', 0, ['a', 'a']), polled('s', 0, ['a', 'a']), agreed(['a', 'a']));
    expect(twice).toHaveLength(1);
  });
  test('innocent: without idempotence, or sent twice by the application', () => {
    expect(found(sent('a', 0), agreed(['a', 'a']))).toEqual([]);
    expect(found(numbered('a', 0), numbered('a', 1), agreed(['a', 'a']))).toEqual([]);
  });
  test('allowed: without idempotence, if anything was sent again (txn T-98)', () => {
    const [invoke, ok] = sent('a', 0);
    const retried = [invoke!, { ...ok!, retried: true } as typeof ok & object];
    const { anomalies, allowed } = check(retried, agreed(['a', 'x', 'a']));
    expect([anomalies, allowed]).toMatchObject([
      [],
      [{ anomaly: 'duplicate', details: { value: 'a', offset: 0, again: 2, witness: 'replica 1' }, ops: [2] }],
    ]);
    // Nor is it listed what the application sent twice, or what stands once.
    expect(check(retried, retried, agreed(['a', 'a'])).allowed).toEqual([]);
    expect(check(retried, agreed(['a', 'x'])).allowed).toEqual([]);
  });
  test('innocent: one record read twice at one offset', () => {
    expect(found(numbered('a', 0), polled('r', 0, ['a']), moved('r', 'seek', 1, 0), polled('r', 0, ['a']))).toEqual([]);
  });
  test('innocent: two replicas that disagree where it is; that is a divergence', () => {
    expect(found(numbered('a', 0), replica(1, ['a']), replica(2, ['b', 'a']))).toEqual([]);
  });
  test('allowed: the first copy was read and may have been taken back by an unclean election', () => {
    const { anomalies, allowed } = check(numbered('a', 1), polled('r', 0, ['a']), unclean, polled('r', 1, ['a']));
    expect([anomalies, allowed.map(({ anomaly }) => anomaly)]).toEqual([[], ['duplicate']]);
    expect(found(numbered('a', 1), unclean, agreed(['a', 'a']))).toHaveLength(1);
  });
});

describe('reorder', () => {
  test('a value behind a later one of its producer', () => {
    expect(found(numbered('a', 1), numbered('b', 0), agreed(['b', 'a']))).toEqual([['reorder', 'a', 1, [0, 2, 4]]]);
    expect(found(numbered('a', 'info'), numbered('b', 0), polled('r', 0, ['b', 'a']))).toEqual([
      ['reorder', 'a', 1, [0, 2, 4]],
    ]);
  });
  test('a second copy is a duplicate, not a reordering', () => {
    const names = check(numbered('a', 0), numbered('b', 1), agreed(['a', 'b', 'a'])).anomalies.map(
      (one) => one.anomaly,
    );
    expect(names).toEqual(['duplicate']);
  });
  test('innocent: without idempotence, between producers, and with what is absent', () => {
    expect(found(sent('a', 1), sent('b', 0), agreed(['b', 'a']))).toEqual([]);
    expect(found(numbered('a', 1, 'p'), numbered('b', 0, 'q'), agreed(['b', 'a']))).toEqual([]);
    expect(found(numbered('a', 'info'), numbered('b', 0), numbered('c', 1), agreed(['b', 'c']))).toEqual([]);
  });
  test('innocent: a reader that was moved back reads in another order than the log has', () => {
    const reads = [polled('r', 1, ['b']), moved('r', 'seek', 2, 0), polled('r', 0, ['a', 'b'])];
    expect(found(numbered('a', 0), numbered('b', 1), ...reads)).toEqual([]);
  });
  test('allowed: a reader saw the log before and after an unclean election', () => {
    const sends = [numbered('a', 1), numbered('b', 0)];
    const { anomalies, allowed } = check(...sends, unclean, polled('r', 0, ['b', 'a']));
    expect([anomalies, allowed.map(({ anomaly }) => anomaly)]).toEqual([[], ['reorder']]);
  });
});
