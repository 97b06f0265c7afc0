// The decision table of hanging transactions (txn T-180), without requests.
import { describe, expect, test } from 'vitest';
import { isSilent, openIn, ownerOf, type ActiveTransaction } from '../../src/client/core/hanging-transactions.ts';
import type { DescribedTransaction } from '../../src/protocol/generated/index.ts';

const suspect: ActiveTransaction = {
  ...{ topic: 'orders', partition: 1, producerId: 7, producerEpoch: 3 },
  ...{ coordinatorEpoch: -1, lastTimestamp: 1000, startOffset: 40 },
};
const listed = [{ transactionalId: 'checkout-1', producerId: 7 }];

function described(changes: Partial<DescribedTransaction> = {}): DescribedTransaction {
  return {
    ...{ transactionalId: 'checkout-1', error: 'NONE', producerId: 7, producerEpoch: 3, state: 'Ongoing' },
    ...{ transactionTimeoutMs: 60_000, startTimeMs: 900, topics: [{ topic: 'orders', partitions: [0, 1] }] },
    ...{ partition: 12, coordinatorEpoch: 4, ...changes },
  };
}

describe('txn T-180: who ends an open transaction', () => {
  test('no id has its producer id: nobody', () => {
    expect(ownerOf(suspect, [], [])).toEqual({ kind: 'unknown-producer' });
    const other = [{ transactionalId: 'checkout-1', producerId: 8 }];
    expect(ownerOf(suspect, [described({ producerId: 8 })], other)).toEqual({ kind: 'unknown-producer' });
  });

  test('an id had it and is gone, or cannot be described: nobody', () => {
    const gone = { kind: 'undescribed', transactionalId: 'checkout-1' };
    expect(ownerOf(suspect, [], listed)).toEqual(gone);
    expect(ownerOf(suspect, [described({ error: 'TRANSACTIONAL_ID_NOT_FOUND' })], listed)).toEqual(gone);
  });

  test('the id got another producer id since it was listed: nobody', () => {
    expect(ownerOf(suspect, [described({ producerId: 9 })], listed)).toEqual({ kind: 'unknown-producer' });
  });

  test.each([
    ['it has no transaction', { state: 'CompleteAbort', topics: [] }],
    ['its transaction is in another topic', { topics: [{ topic: 'payments', partitions: [1] }] }],
    ['its transaction is in other partitions', { topics: [{ topic: 'orders', partitions: [0, 2] }] }],
    ['its marker is acknowledged there', { state: 'PrepareCommit', topics: [{ topic: 'orders', partitions: [0] }] }],
  ])('the id has it, but %s: nobody', (_, changes) => {
    const state = (changes as Partial<DescribedTransaction>).state ?? 'Ongoing';
    expect(ownerOf(suspect, [described(changes)], listed)).toEqual({
      ...{ kind: 'not-registered', transactionalId: 'checkout-1', state, epoch: 3 },
    });
  });

  test.each(['Ongoing', 'PrepareCommit', 'PrepareAbort'])(
    'the partition is in its set, %s: its coordinator',
    (state) => {
      expect(ownerOf(suspect, [described({ state })], listed)).toEqual({
        ...{ kind: 'owned', transactionalId: 'checkout-1', state, epoch: 3 },
      });
    },
  );

  test('txn T-93, T-116: at a later epoch too, as its marker ends what is open there', () => {
    expect(ownerOf(suspect, [described({ producerEpoch: 9 })], listed)).toMatchObject({ kind: 'owned', epoch: 9 });
  });
});

test('only who is silent for longer than the limit is suspected; a limit to the millisecond', () => {
  expect([1500, 1501].map((now) => isSilent(suspect, now, 500))).toEqual([false, true]);
});

test('txn T-178: what is open in a partition: producers with a start offset, 0 included', () => {
  const producer = { producerEpoch: 3, lastSequence: 5, lastTimestampMs: 1000, coordinatorEpoch: -1 };
  const producers = [-1, 0, 40].map((currentTxnStartOffset, at) => ({
    ...{ ...producer, producerId: 5 + at, currentTxnStartOffset },
  }));
  expect(openIn({ topic: 'orders', partition: 1, error: 'NONE', producers })).toEqual([
    { ...suspect, producerId: 6, startOffset: 0 },
    suspect,
  ]);
});
