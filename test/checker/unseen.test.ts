// Values that a reader which was let read to the end was never given, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { checkHistory } from '../../src/checker/check.ts';
import type { NewEntry } from '../../src/history/operations.ts';
import { history, moved, polled, quiet, replica, sent, type Entries } from './histories.ts';
import { log } from './transaction-histories.ts';

const check = (...entries: Entries): ReturnType<typeof checkHistory> => checkHistory(history(...entries), ['unseen']);
const clean = { anomalies: [], allowed: [], inconclusive: [] };

/** Everything is quiet, these readers were let read on until `at`, and some partitions did not agree. */
function drained(readers: readonly string[], { at = 1000, missing = [] as readonly string[] } = {}): NewEntry {
  return { ...quiet(...missing), drained: readers, drainedAt: at } as NewEntry;
}
const committed = (entry: NewEntry): NewEntry => ({ ...entry, isolation: 'read_committed' }) as NewEntry;
const both = [sent('a', 0), sent('b', 1)];

describe('unseen', () => {
  test('it stands before an acknowledged value, and was given nothing more', () => {
    const found = check(...both, polled('r', 0, ['a']), replica(1, ['a', 'b']), drained(['r']));
    expect(found.anomalies).toMatchObject([
      { partition: 'orders-0', details: { reader: 'r', offset: 1, value: 'b', count: 1 }, ops: [2, 3, 4, 6] },
    ]);
    expect(found.anomalies[0]!.says).toBe(
      'r was let read orders-0 to its end and stands at 1; it was never given "b" at 1, which was acknowledged',
    );
  });
  test('it found where to begin and was given nothing at all; one finding for all it misses', () => {
    const found = check(...both, moved('r', 'start', -1, 0), replica(1, ['a', 'b']), drained(['r']));
    expect(found.anomalies).toMatchObject([{ details: { offset: 0, value: 'a', count: 2 } }]);
  });
  test('not with acks=1 either: what is below the high watermark is for every reader', () => {
    const found = check(sent('a', 0, { acks: 1 }), moved('r', 'start', -1, 0), replica(1, ['a']), drained(['r']));
    expect(found.anomalies).toHaveLength(1);
  });
  test('of another reader that was given everything, nothing is said', () => {
    const reads = [polled('r', 0, ['a']), polled('s', 0, ['a', 'b'])];
    const found = check(...both, ...reads, replica(1, ['a', 'b']), drained(['r', 's']));
    expect(found.anomalies.map(({ details }) => details['reader'])).toEqual(['r']);
  });
  test('a read_committed one is owed what is committed, up to the first undecided record', () => {
    const read = committed(polled('r', 0, ['a']));
    const decided = log(['a', 'b:7', '!commit:7']);
    expect(check(...both, read, decided, drained(['r'])).anomalies).toMatchObject([{ details: { value: 'b' } }]);
  });

  describe('is not', () => {
    test('while nobody waited for the reader', () => {
      expect(check(...both, polled('r', 0, ['a']), replica(1, ['a', 'b']), quiet())).toEqual(clean);
      expect(check(...both, polled('r', 0, ['a']), replica(1, ['a', 'b']), drained(['s']))).toEqual(clean);
    });
    test('a value that nobody acknowledged', () => {
      const found = check(
        sent('a', 0),
        sent('b', 'info'),
        polled('r', 0, ['a']),
        replica(1, ['a', 'b']),
        drained(['r']),
      );
      expect(found).toEqual(clean);
    });
    test('a value that is gone: that is a lost write', () => {
      expect(check(...both, polled('r', 0, ['a']), replica(1, ['a']), drained(['r']))).toEqual(clean);
    });
    test('a value that the reader moved past, or began behind: that is a poll skip, or its wish', () => {
      expect(check(...both, polled('r', 0, ['a'], 2), replica(1, ['a', 'b']), drained(['r']))).toEqual(clean);
      expect(check(...both, moved('r', 'start', -1, 2), replica(1, ['a', 'b']), drained(['r']))).toEqual(clean);
    });
    test('a value that it was given before it was sent back', () => {
      const reads = [polled('r', 0, ['a', 'b']), moved('r', 'seek', 2, 1)];
      expect(check(...both, ...reads, replica(1, ['a', 'b']), drained(['r']))).toEqual(clean);
    });
    test('what is not committed yet: it is above the high watermark', () => {
      const there = replica(1, ['a', 'b'], { hw: 1 });
      expect(check(...both, polled('r', 0, ['a']), there, drained(['r']))).toEqual(clean);
    });
    test('what a transaction holds back, is aborted, or stands behind an open one (txn T-133)', () => {
      const read = committed(polled('r', 0, ['a']));
      const start = moved('r', 'start', -1, 0);
      expect(check(...both, read, log(['a', 'b:7', '!abort:7']), drained(['r']))).toEqual(clean);
      expect(check(...both, read, log(['a', 'x:7', 'b']), drained(['r']))).toEqual(clean);
      // Nobody knows which kind a reader is that was given nothing.
      expect(check(...both, start, log(['x:7', 'a', 'b']), drained(['r']))).toEqual(clean);
    });
    test('one that was told why it cannot read on, and not that it could again', () => {
      const [refused] = [{ ...polled('r', 1, []), type: 'fail', error: 'OFFSET_OUT_OF_RANGE' } as NewEntry];
      const there = replica(1, ['a', 'b']);
      expect(check(...both, polled('r', 0, ['a']), refused, there, drained(['r']))).toEqual(clean);
      expect(check(...both, refused, polled('r', 0, ['a']), there, drained(['r'])).anomalies).toHaveLength(1);
    });
    test('a partition that was handed on when the members were told to end', () => {
      const late = Object.assign(moved('s', 'start', -1, 1), { time: 50 });
      const reads = [polled('r', 0, ['a', 'b']), late];
      const there = replica(1, ['a', 'b']);
      expect(check(...both, ...reads, there, drained(['r', 's'], { at: 50 }))).toEqual(clean);
      expect(check(...both, ...reads, there, drained(['r', 's'], { at: 51 })).anomalies).toHaveLength(1);
    });
    test('sure, while not all replicas were seen', () => {
      const end = drained(['r'], { missing: ['orders-0'] });
      const found = check(...both, polled('r', 0, ['a']), replica(1, ['a', 'b']), end);
      expect([found.anomalies, found.inconclusive.length]).toEqual([[], 1]);
    });
  });
});
