// Verdicts are three-valued and merge to the worst (style.md 1.5). And all checkers together are fast enough to run always.
import { describe, expect, test } from 'vitest';
import { checkHistory } from '../../src/checker/check.ts';
import { verdictOf, worst } from '../../src/checker/findings.ts';
import type { HistoryEntry } from '../../src/history/operations.ts';
import { agreed, history, polled, quiet, replica, sent } from './histories.ts';

describe('a verdict', () => {
  test('is the worst of its parts: pass < inconclusive < fail', () => {
    expect(worst([])).toBe('pass');
    expect(worst(['pass', 'inconclusive', 'pass'])).toBe('inconclusive');
    expect(worst(['fail', 'inconclusive'])).toBe('fail');
  });

  test('a clean run passes all checkers, an anomaly fails, ignorance is neither', () => {
    expect(verdictOf(checkHistory(history(sent('a', 0), polled('r', 0, ['a']), agreed(['a']))))).toBe('pass');
    expect(verdictOf(checkHistory(history(sent('a', 0), agreed([]))))).toBe('fail');
    expect(verdictOf(checkHistory(history(sent('a', 0), replica(1, ['a']), quiet('orders-0'))))).toBe('inconclusive');
    expect(verdictOf(checkHistory(history(sent('a', 0))))).toBe('inconclusive');
  });

  test('a duplicate and a reordering are legal without idempotence', () => {
    const entries = history(sent('a', 1), sent('b', 0), polled('r', 0, ['b', 'a', 'a']), agreed(['b', 'a', 'a']));
    expect(checkHistory(entries).anomalies).toEqual([]);
  });

  test('a long clean history is clean: every operation is looked at, none is looked at twice over', () => {
    const count = 20_000;
    const entries: HistoryEntry[] = history(
      ...Array.from({ length: count }, (_, at) => [...sent(`v${at}`, at), polled('r', at, [`v${at}`])]),
      agreed(Array.from({ length: count }, (_, at) => `v${at}`)),
    );
    expect(checkHistory(entries)).toEqual({ anomalies: [], allowed: [], inconclusive: [] });
  });

  test('a run that lost everything is told so, however much that is', () => {
    const count = 130_000;
    const sends = Array.from({ length: count }, (_, at) => sent(`v${at}`, at)).flat();
    const { anomalies } = checkHistory(history(sends, agreed([])), ['lost-write']);
    expect(anomalies.length).toBe(count);
  });
});
