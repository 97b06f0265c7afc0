// Ends that fall: high watermarks and what ListOffsets(latest) answers, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { checkHistory } from '../../src/checker/check.ts';
import type { AnomalyName } from '../../src/checker/findings.ts';
import { agreed, budget, ended, history, quiet, replica, told, type Entries } from './histories.ts';

const checker =
  (name: AnomalyName) =>
  (...entries: Entries) =>
    checkHistory(history(...entries), [name]);
const clean = { anomalies: [], allowed: [], inconclusive: [] };

describe('hw-regression', () => {
  const check = checker('hw-regression');

  test('repl I-5: a leader tells less than before in one epoch', () => {
    const entries = [
      told('r', 0, ['a'], { highWatermark: 3, leaderEpoch: 1 }),
      told('r', 1, ['b'], { highWatermark: 2, leaderEpoch: 1 }),
    ];
    expect(check(...entries).anomalies).toMatchObject([
      { partition: 'orders-0', details: { reader: 'r', highWatermark: 2, before: 3, leaderEpoch: 1 }, ops: [0, 1] },
    ]);
    // Nothing excuses it: a leader that lost its tail leads in another epoch.
    expect(check(budget('power-loss'), ...entries).anomalies).toHaveLength(1);
  });
  test('BUG-01 (repl I-20): a later epoch begins below what was committed in an earlier one', () => {
    const read = told('r', 0, ['m0', 'm1'], { highWatermark: 2, leaderEpoch: 0 });
    expect(check(read, agreed(['m0', 'm2/2'])).anomalies).toMatchObject([
      { details: { highWatermark: 2, offset: 1, leaderEpoch: 0, laterEpoch: 2 }, ops: [0, 1] },
    ]);
  });
  test('or nothing stands there any more', () => {
    const read = told('r', 0, ['m0', 'm1'], { highWatermark: 2, leaderEpoch: 0 });
    expect(check(read, agreed(['m0'])).anomalies).toMatchObject([
      { details: { highWatermark: 2, offset: 1, laterEpoch: undefined } },
    ]);
  });

  describe('is not', () => {
    test('a new leader that does not know yet how far it goes (repl R-50, R-51)', () => {
      const entries = [
        told('r', 0, ['a'], { highWatermark: 3, leaderEpoch: 0 }),
        told('r', 1, ['b'], { highWatermark: 2, leaderEpoch: 1 }),
        told('r', 2, ['c'], { highWatermark: 4, leaderEpoch: 1 }),
      ];
      expect(check(...entries, agreed(['a', 'b', 'c', 'd/1']))).toEqual(clean);
    });
    test('what two readers were told: nobody knows which was told first', () => {
      const entries = [
        told('r', 0, ['a'], { highWatermark: 3, leaderEpoch: 1 }),
        told('s', 0, ['a'], { highWatermark: 2, leaderEpoch: 1 }),
      ];
      expect(check(...entries)).toEqual(clean);
    });
    test('a log whose beginning was deleted', () => {
      const read = told('r', 0, ['a'], { highWatermark: 1, leaderEpoch: 0 });
      expect(check(read, replica(1, ['x/4'], { start: 7 }), quiet())).toEqual(clean);
    });
    test('after an unclean election or a declared loss, which is listed', () => {
      const read = told('r', 0, ['m0', 'm1'], { highWatermark: 2, leaderEpoch: 0 });
      for (const what of ['unclean-election', 'power-loss', 'wipe'] as const) {
        const found = check(read, budget(what), agreed(['m0', 'm2/2']));
        expect(found).toMatchObject({ anomalies: [], allowed: [{ anomaly: 'hw-regression' }] });
      }
    });
    test('what was told when the replicas had been looked at: a marker may have followed (txn T-115)', () => {
      const reads = [
        told('r', 0, ['m0'], { highWatermark: 1, leaderEpoch: 0 }),
        told('r', 1, [], { highWatermark: 2, leaderEpoch: 0 }),
      ];
      const looked = (observedFrom: number) => ({ ...quiet(), observedFrom }) as ReturnType<typeof quiet>;
      expect(check(...reads, replica(1, ['m0']), looked(1))).toEqual(clean);
      expect(check(...reads, replica(1, ['m0']), looked(2)).anomalies).toHaveLength(1);
    });
    test('while not all replicas were seen', () => {
      const read = told('r', 0, ['m0', 'm1'], { highWatermark: 2, leaderEpoch: 0 });
      expect(check(read, replica(1, ['m0', 'm2/2']), quiet('orders-0'))).toEqual(clean);
    });
  });
});

describe('end-regression', () => {
  const check = checker('end-regression');

  test('BUG-32 (repl I-19): the next leader answers less', () => {
    expect(check(ended('c', 100, 0), ended('c', 90, 1)).anomalies).toMatchObject([
      { partition: 'orders-0', details: { process: 'c', offset: 90, before: 100, leaderEpoch: 1 }, ops: [1, 3] },
    ]);
  });
  test('or the same one', () => {
    expect(check(ended('c', 3, 2), ended('c', 4, 2), ended('c', 3, 2)).anomalies).toMatchObject([{ ops: [3, 5] }]);
  });

  describe('is not', () => {
    test('an end that stays or grows, over elections', () => {
      expect(check(ended('c', 3, 0), ended('c', 3, 1), ended('c', 7, 1))).toEqual(clean);
    });
    test('the stale answer of a deposed leader (repl R-103)', () => {
      expect(check(ended('c', 3, 0), ended('c', 9, 1), ended('c', 3, 0), ended('c', 9, 1))).toEqual(clean);
    });
    test('a question that was asked before the higher answer came', () => {
      const [asked, answered] = ended('c', 3, 1);
      expect(check(asked!, ended('c', 9, 1), answered!)).toEqual(clean);
    });
    test('two clients, or two partitions', () => {
      expect(check(ended('c', 9, 1), ended('d', 3, 1), ended('c', 2, 1, 'orders-1'))).toEqual(clean);
    });
    test('an answer that tells no epoch', () => {
      const [asked, answered] = ended('c', 3, 1);
      const silent = { ...answered! } as { leaderEpoch?: number };
      delete silent.leaderEpoch;
      expect(check(ended('c', 9, 1), asked!, silent as typeof answered & object)).toEqual(clean);
    });
    test('after an unclean election, which is listed', () => {
      const found = check(ended('c', 9, 1), budget('unclean-election'), ended('c', 3, 2));
      expect(found).toMatchObject({ anomalies: [], allowed: [{ anomaly: 'end-regression' }] });
    });
  });
});
