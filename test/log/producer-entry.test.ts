// The rules on one producer, without a log (txn T-90 to T-104).
import { describe, expect, test } from 'vitest';
import {
  firstSequenceOf,
  isExpired,
  duplicateOf,
  judgeBatch,
  judgeCoordinated,
  sequenceAfter,
} from '../../src/log/producer-entry.ts';
import { withBatch, withMarker } from '../../src/log/producer-entry.ts';
import type { NumberedBatch, ProducerEntry, ProducerVerdict } from '../../src/log/producer-entry.ts';

const MAX = 2_147_483_647;
const RULES = { dedup: true, gapReject: true, firstIsZero: true, epochStartsAtZero: true, wraps: true, fence: true };

/** A batch of `count` records; offsets go with the sequence. */
function batch(baseSequence: number, count = 1, producerEpoch = 0, baseOffset = baseSequence): NumberedBatch {
  return {
    producerId: 7,
    producerEpoch,
    baseSequence,
    baseOffset,
    lastOffset: baseOffset + count - 1,
    maxTimestamp: 5,
  };
}

const after = (...batches: NumberedBatch[]): ProducerEntry =>
  batches.reduce<ProducerEntry | undefined>((known, one) => withBatch(known, one, false), undefined)!;

/** As judge-producer.ts puts them together for a client's batch without a transaction. */
const judge = (known: ProducerEntry | undefined, one: NumberedBatch, rules = RULES): ProducerVerdict => {
  const repeated = rules.dedup ? duplicateOf(known, one) : undefined;
  if (repeated !== undefined) return { kind: 'duplicate', of: repeated };
  return judgeBatch(known, one, { transactional: false, verified: undefined }, rules);
};

const judged = (known: ProducerEntry | undefined, one: NumberedBatch, rules = RULES): string => {
  const verdict = judge(known, one, rules);
  return verdict.kind === 'refused' ? verdict.error : verdict.kind;
};

const OUT = 'OUT_OF_ORDER_SEQUENCE_NUMBER';

describe('txn T-98: a duplicate has the epoch and both sequences of a retained batch', () => {
  const known = after(...[0, 1, 2, 3, 4, 5].map((sequence) => batch(sequence)));

  test('of the last five, each is known again with its offsets', () => {
    for (const sequence of [1, 2, 3, 4, 5]) {
      expect(judge(known, batch(sequence))).toMatchObject({
        kind: 'duplicate',
        of: { lastOffset: sequence, offsetDelta: 0, timestamp: 5 },
      });
    }
  });

  test('txn T-104: the sixth is out of order, never a second copy', () => {
    expect(judged(known, batch(0))).toBe(OUT);
  });

  test('a part of it, more than it, or another epoch is no duplicate', () => {
    const wide = after(batch(0, 3));
    expect(judged(wide, batch(0, 3))).toBe('duplicate');
    expect([judged(wide, batch(0, 2)), judged(wide, batch(1, 2)), judged(wide, batch(0, 4))]).toEqual([OUT, OUT, OUT]);
    expect(judged(wide, batch(0, 3, 1))).toBe('next');
  });

  test('it is tested before the epoch is', () => {
    expect(judged(after(batch(0, 1, 3)), batch(0, 1, 3))).toBe('duplicate');
  });
});

describe('txn T-100, T-101: epoch, then sequence', () => {
  test.each([
    ['the next one', batch(3), 'next'],
    ['a gap', batch(4), OUT],
    ['an older one', batch(2), OUT],
    ['a new epoch from 0', batch(0, 1, 1), 'next'],
    ['a new epoch from elsewhere', batch(3, 1, 1), OUT],
  ])('%s', (_, one, verdict) => {
    expect(judged(after(batch(0, 3)), one)).toBe(verdict);
  });

  test('an older epoch is fenced, whatever its sequence', () => {
    expect(judged(after(batch(0, 1, 2)), batch(1, 1, 1))).toBe('INVALID_PRODUCER_EPOCH');
    expect(judgeCoordinated(after(batch(0, 1, 2)), batch(9, 1, 1), true)).toMatchObject({ kind: 'refused' });
    expect(judgeCoordinated(after(batch(0, 1, 2)), batch(9, 1, 2), true)).toEqual({ kind: 'next' });
  });

  test('an unknown producer begins at 0, or anywhere if that cannot be asked', () => {
    expect([judged(undefined, batch(0)), judged(undefined, batch(4))]).toEqual(['next', OUT]);
    expect(judged(undefined, batch(4), { ...RULES, firstIsZero: false })).toBe('next');
  });

  test('an empty window, after a marker of another epoch, goes on at 0', () => {
    const marked = withMarker(after(batch(0, 3)), { producerEpoch: 1, coordinatorEpoch: 2, timestamp: 6 });
    expect(marked).toMatchObject({ epoch: 1, coordinatorEpoch: 2, lastTimestamp: 6, batches: [] });
    expect([judged(marked, batch(0, 1, 1)), judged(marked, batch(3, 1, 1))]).toEqual(['next', OUT]);
  });

  test('switched off, the check of gaps takes any sequence but a duplicate', () => {
    const rules = { ...RULES, gapReject: false };
    const known = after(batch(0), batch(1));
    expect([judged(known, batch(5), rules), judged(known, batch(1), rules)]).toEqual(['next', 'duplicate']);
  });
});

describe('txn T-102: sequences wrap behind 2^31-1, perhaps inside a batch', () => {
  test('the number after the last is 0', () => {
    expect([sequenceAfter(MAX, 1), sequenceAfter(MAX - 1, 3), sequenceAfter(0, 5)]).toEqual([0, 1, 5]);
  });

  test('a batch that wraps is known again and goes on behind its end', () => {
    const wraps = batch(MAX - 1, 4, 0, 100);
    const known = after(wraps);
    expect([known.batches[0]!.lastSequence, firstSequenceOf(known.batches[0]!)]).toEqual([1, MAX - 1]);
    expect([judged(known, wraps), judged(known, batch(2)), judged(known, batch(0))]).toEqual([
      'duplicate',
      'next',
      OUT,
    ]);
  });

  test('0 follows 2^31-1', () => {
    expect(judged(after(batch(MAX, 1, 0, 9)), batch(0))).toBe('next');
  });
});

describe('what is known afterwards', () => {
  test('txn T-90: five batches, oldest first', () => {
    const known = after(...[0, 1, 2, 3, 4, 5, 6].map((sequence) => batch(sequence)));
    expect(known.batches.map(({ lastSequence }) => lastSequence)).toEqual([2, 3, 4, 5, 6]);
  });

  test('txn T-92: another epoch clears the window', () => {
    expect(after(batch(0), batch(1), batch(0, 1, 1)).batches).toHaveLength(1);
  });

  test('txn T-93, T-106: a transaction begins with its first batch and ends with its marker, which keeps the window', () => {
    const open = withBatch(withBatch(undefined, batch(0), true), batch(1), true);
    expect(open.currentTxnFirstOffset).toBe(0);
    expect(judge(open, batch(2))).toMatchObject({ kind: 'refused', error: 'INVALID_TXN_STATE' });
    const ended = withMarker(open, { producerEpoch: 0, coordinatorEpoch: 1, timestamp: 9 });
    expect([ended.currentTxnFirstOffset, ended.batches.length]).toEqual([undefined, 2]);
  });

  test('txn T-109: silent for long enough, unless a transaction is open', () => {
    expect([isExpired(after(batch(0)), 14, 10), isExpired(after(batch(0)), 15, 10)]).toEqual([false, true]);
    expect(isExpired(withBatch(undefined, batch(0), true), 1000, 10)).toBe(false);
  });
});
