// Two brokers that acknowledge as leaders of one partition, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { checkHistory } from '../../src/checker/check.ts';
import type { NewEntry } from '../../src/history/operations.ts';
import { budget, history, sent, type Entries } from './histories.ts';

const check = (...entries: Entries) => checkHistory(history(...entries), ['double-leader']);
const clean = { anomalies: [], allowed: [], inconclusive: [] };

interface By {
  readonly process?: string;
  readonly acks?: 0 | 1 | -1;
  readonly partition?: string;
}

/** A send that broker `node` acknowledged in an epoch. */
function led(value: string, node: number, leaderEpoch: number, by: By = {}): NewEntry[] {
  const [invoke, ok] = sent(value, 0, by);
  return [invoke!, { ...ok!, node, leaderEpoch } as NewEntry];
}

describe('double-leader', () => {
  test('repl I-8: two brokers acknowledge in one epoch, whatever acks, and nothing excuses it', () => {
    const entries = [led('a', 1, 3, { process: 'p' }), led('b', 2, 3, { process: 'q', acks: 1 })];
    expect(check(budget('unclean-election'), ...entries).anomalies).toMatchObject([
      { partition: 'orders-0', details: { leaderEpoch: 3, first: 1, second: 2 }, ops: [2, 4] },
    ]);
  });
  test('repl R-15, R-95: an older leader commits what was sent after a newer one had answered', () => {
    expect(check(led('a', 2, 4), led('b', 1, 3)).anomalies).toMatchObject([
      {
        partition: 'orders-0',
        details: { process: 'p', leaderEpoch: 3, newer: 4, first: 2, second: 1 },
        ops: [1, 2, 3],
      },
    ]);
  });
  test('also after an answer to acks=1; each kind once for each partition', () => {
    const found = check(led('a', 2, 4, { acks: 1 }), led('b', 1, 3), led('c', 1, 3), led('d', 2, 3), led('e', 3, 3));
    expect(found.anomalies.map(({ ops }) => ops)).toEqual([
      [1, 2, 3],
      [3, 7],
    ]);
  });

  describe('is not', () => {
    test('a leader that follows another, or itself', () => {
      expect(check(led('a', 1, 0), led('b', 2, 1), led('c', 1, 2), led('d', 1, 3), led('e', 1, 3))).toEqual(clean);
    });
    test('what was under way as leadership moved', () => {
      const [invoke, ok] = led('slow', 1, 3);
      expect(check(invoke!, led('a', 2, 4), ok!)).toEqual(clean);
    });
    test('a deposed leader that does not know it and is asked with acks=1', () => {
      expect(check(led('a', 2, 4), led('b', 1, 3, { acks: 1 }))).toEqual(clean);
    });
    test('the answers to two processes: nobody knows which came first', () => {
      expect(check(led('a', 2, 4, { process: 'p' }), led('b', 1, 3, { process: 'q' }))).toEqual(clean);
    });
    test('two partitions', () => {
      expect(check(led('a', 2, 4), led('b', 1, 3, { partition: 'orders-1' }))).toEqual(clean);
      expect(check(led('a', 2, 3), led('b', 1, 3, { partition: 'orders-1' }))).toEqual(clean);
    });
    test('answers that do not tell', () => {
      expect(check(led('a', 2, 4), sent('b', 1), sent('c', 2, { acks: 0 }))).toEqual(clean);
    });
    test('after an unclean election or a declared loss, which is listed', () => {
      for (const what of ['unclean-election', 'power-loss'] as const) {
        const found = check(led('a', 2, 4), budget(what), led('b', 1, 3));
        expect(found).toMatchObject({ anomalies: [], allowed: [{ anomaly: 'double-leader' }] });
      }
    });
  });
});
