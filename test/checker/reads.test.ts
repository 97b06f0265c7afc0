// Ghost reads, inconsistent offsets, poll skips and steps back, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { checkHistory } from '../../src/checker/check.ts';
import type { AnomalyName } from '../../src/checker/findings.ts';
import { agreed, budget, history, moved, polled, quiet, replica, sent, type Entries } from './histories.ts';

const checker =
  (name: AnomalyName) =>
  (...entries: Entries): ReturnType<typeof checkHistory> =>
    checkHistory(history(...entries), [name]);

/** The ghost read as a client before KIP-320 lives it: 5 to 7 read, then gone; five new ones in their place. */
const BEFORE = ['0', '1', '2', '3', '4'];
const AFTER = [...BEFORE, '8/1', '9/1', '10/1', '11/1', '12/1'];
const GHOST: Entries = [
  polled('r1', 0, [...BEFORE, '5', '6', '7']),
  polled('r1', 8, ['11', '12']),
  polled('r2', 5, ['8', '9', '10', '11', '12']),
  agreed(AFTER),
];

describe('ghost-read', () => {
  const check = checker('ghost-read');

  test('a value that was read is on no replica', () => {
    const { anomalies } = check(...GHOST);
    expect(anomalies.map(({ details }) => details)).toEqual([
      { offset: 5, first: '5', later: '8', reader: 'r1' },
      { offset: 6, first: '6', later: '9', reader: 'r1' },
      { offset: 7, first: '7', later: '10', reader: 'r1' },
    ]);
    expect(anomalies[0]!.ops).toEqual([0, 2]); // who read it, and who read what stands there now
  });

  test('is reported once, however often it was read', () => {
    expect(check(polled('a', 0, ['x']), polled('b', 0, ['x']), agreed([])).anomalies).toMatchObject([
      { details: { first: 'x', later: undefined, reader: 'a' }, ops: [0] },
    ]);
  });

  test('is not what was written and read behind what the replicas held when they were looked at', () => {
    const looked = (observedFrom: number) => ({ ...quiet(), observedFrom }) as ReturnType<typeof quiet>;
    const seen = [polled('r', 0, ['a']), polled('r', 1, ['b']), replica(1, ['a'])];
    expect(check(...seen, looked(1)).anomalies).toEqual([]);
    expect(check(...seen, looked(2)).anomalies).toMatchObject([{ details: { offset: 1, first: 'b' } }]);
    // Where a replica holds something else, it was not only late.
    const other = [polled('r', 0, ['a']), polled('r', 0, ['b']), replica(1, ['a'])];
    expect(check(...other, looked(1)).anomalies).toMatchObject([{ details: { offset: 0, first: 'b' } }]);
  });

  test('is not a stale read from a zombie: old, but true (repl R-103)', () => {
    expect(
      check(polled('r', 0, ['a']), polled('r', 1, ['b']), polled('z', 0, ['a']), agreed(['a', 'b'])).anomalies,
    ).toEqual([]);
  });

  test('is not an acks=1 record that was lost unread', () => {
    expect(check(sent('5', 5, { acks: 1 }), polled('r', 0, BEFORE), agreed(AFTER)).anomalies).toEqual([]);
  });

  test('is not the value of a send of unknown outcome, read later', () => {
    expect(check(sent('x', 'info'), polled('r', 0, ['x']), agreed(['x'])).anomalies).toEqual([]);
  });

  test('is legal after an unclean election', () => {
    expect(check(polled('r', 0, ['x']), budget('unclean-election'), agreed(['y/1']))).toMatchObject({
      anomalies: [],
      allowed: [{}],
    });
  });

  test('is not what was deleted from the front', () => {
    const entries = [replica(1, ['b'], { start: 1 }), quiet()];
    expect(check(polled('r', 0, ['a', 'b']), entries).anomalies).toEqual([]);
  });

  test('cannot be decided while a replica that may hold it is missing', () => {
    expect(check(polled('r', 0, ['x']), replica(1, []), quiet('orders-0'))).toMatchObject({
      anomalies: [],
      inconclusive: [expect.any(String)],
    });
    expect(check(polled('r', 0, ['x']), replica(1, ['x']), quiet('orders-0'))).toMatchObject({
      anomalies: [],
      inconclusive: [],
    });
  });
});

describe('inconsistent-offsets', () => {
  const check = checker('inconsistent-offsets');

  test('two readers were given different values at one offset', () => {
    const { anomalies } = check(...GHOST);
    expect(anomalies[0]).toMatchObject({
      details: { offset: 5, first: '5', later: '8', firstReader: 'r1', reader: 'r2' },
      ops: [0, 2],
    });
    expect(anomalies).toHaveLength(3);
  });

  test('one reader was, after it was told that its log was cut', () => {
    const { anomalies } = check(
      polled('r1', 0, [...BEFORE, '5']),
      moved('r1', 'truncated', 6, 5),
      polled('r1', 5, ['8']),
      agreed(AFTER),
    );
    expect(anomalies).toMatchObject([{ details: { offset: 5, first: '5', later: '8' }, ops: [0, 2] }]);
  });

  test('is not the same value read twice, nor the same value at two offsets', () => {
    expect(check(polled('a', 0, ['x', 'x']), polled('b', 0, ['x', 'x']), polled('a', 0, ['x'])).anomalies).toEqual([]);
  });

  test('needs no final log', () => {
    expect(check(polled('a', 0, ['x']), polled('b', 0, ['y'])).anomalies).toHaveLength(1);
  });

  test('is legal if a declared loss took the first value back', () => {
    const entries = [polled('a', 0, ['x']), budget('power-loss', 2), polled('b', 0, ['y'])];
    expect(check(...entries, agreed(['y/1']))).toMatchObject({ anomalies: [], allowed: [{ ops: [0, 2, 1] }] });
  });

  test('is legal too if a retry put the first value elsewhere', () => {
    const entries = [polled('a', 0, ['x']), budget('power-loss', 2), polled('b', 0, ['y', 'x'])];
    expect(check(...entries, agreed(['y/1', 'x/1']))).toMatchObject({ anomalies: [], allowed: [{}] });
  });

  test('is legal too if a further loss took the second value back, and the first came again', () => {
    const entries = [polled('a', 0, ['x']), budget('power-loss', 2), polled('b', 0, ['y']), budget('power-loss', 1)];
    expect(check(...entries, agreed(['x']))).toMatchObject({ anomalies: [], allowed: [{}] });
    expect(check(...entries, replica(1, ['x']), quiet('orders-0')).anomalies).toHaveLength(1);
  });

  test('BUG-02: is not legal if both values stand side by side', () => {
    const entries = [polled('a', 0, ['x']), budget('power-loss', 2), polled('b', 0, ['y'])];
    expect(check(...entries, replica(1, ['x']), replica(2, ['y/1']), quiet()).anomalies).toHaveLength(1);
    expect(check(...entries, polled('a', 0, ['x']), agreed(['y/1'])).anomalies).toHaveLength(1);
  });
});

describe('poll-skip', () => {
  const check = checker('poll-skip');

  test('a reader went on beyond records that came in place of those it had read', () => {
    const { anomalies } = check(...GHOST);
    expect(anomalies).toMatchObject([{ details: { reader: 'r1', missed: ['8', '9', '10'], offset: 5 }, ops: [0] }]);
  });

  test('a reader jumped', () => {
    const { anomalies } = check(polled('r', 0, ['a']), polled('r', 3, ['d']), agreed(['a', 'b', 'c', 'd']));
    expect(anomalies).toMatchObject([{ details: { missed: ['b', 'c'] }, ops: [1] }]);
  });

  describe('is not', () => {
    test('a reader that is behind, or starts late', () => {
      expect(check(polled('r', 2, ['c']), agreed(['a', 'b', 'c', 'd', 'e'])).anomalies).toEqual([]);
    });

    test('a reader that was moved: seek, reset, start, truncation', () => {
      for (const why of ['seek', 'reset', 'start', 'truncated'] as const) {
        const entries = [polled('r', 0, ['a']), moved('r', why, 1, 3), polled('r', 3, ['d'])];
        expect(check(...entries, agreed(['a', 'b', 'c', 'd'])).anomalies).toEqual([]);
      }
    });

    test('a reader that reads again what was replaced, once it is told', () => {
      const entries = [polled('r', 0, ['a', 'x']), moved('r', 'truncated', 2, 1), polled('r', 1, ['b', 'c'])];
      expect(check(...entries, agreed(['a', 'b/1', 'c/1'])).anomalies).toEqual([]);
    });

    test('an offset where no record stands', () => {
      expect(check(polled('r', 0, ['a'], 2), polled('r', 2, ['c']), agreed(['a', '-', 'c'])).anomalies).toEqual([]);
    });

    test('a skip after a declared loss: allowed', () => {
      expect(check(polled('r', 0, ['x']), budget('wipe', 1), agreed(['y/1']))).toMatchObject({
        anomalies: [],
        allowed: [{}],
      });
    });
  });

  test('cannot be decided without the final logs if a reader jumped, and needs none if not', () => {
    expect(check(polled('r', 0, ['a']), polled('r', 3, ['d']), quiet('orders-0')).inconclusive).toHaveLength(1);
    expect(check(polled('r', 0, ['a']), polled('r', 1, ['b']), quiet('orders-0')).inconclusive).toEqual([]);
  });
});

describe('nonmonotonic-poll', () => {
  const check = checker('nonmonotonic-poll');

  test('a reader went back though nothing told it to', () => {
    expect(check(polled('r', 0, ['a', 'b']), polled('r', 1, ['b'])).anomalies).toMatchObject([
      { details: { reader: 'r', offset: 1, position: 2 }, ops: [0, 1] },
    ]);
  });

  test('is not a restart, a seek, a reset or a truncation, nor another reader', () => {
    for (const why of ['start', 'seek', 'reset', 'truncated'] as const) {
      expect(check(polled('r', 0, ['a', 'b']), moved('r', why, 2, 0), polled('r', 0, ['a'])).anomalies).toEqual([]);
    }
    expect(check(polled('r', 0, ['a', 'b']), polled('s', 0, ['a']), polled('r', 2, [])).anomalies).toEqual([]);
  });

  test('BUG-34: a reset behind what every replica still holds', () => {
    const entries = [polled('r', 0, ['a', 'b']), moved('r', 'reset', 2, 0), polled('r', 0, ['a'])];
    expect(check(...entries, agreed(['a', 'b'])).anomalies).toMatchObject([
      { details: { reader: 'r', offset: 0, position: 2 }, ops: [0, 1] },
    ]);
    expect(check(...entries, agreed(['a', 'x/1'])).anomalies).toEqual([]); // What it had read is gone.
    expect(check(...entries, budget('wipe', 1), agreed(['a', 'b'])).anomalies).toEqual([]);
    expect(check(polled('r', 0, ['a', 'b']), moved('r', 'reset', 2, 2), agreed(['a', 'b'])).anomalies).toEqual([]);
  });
});
