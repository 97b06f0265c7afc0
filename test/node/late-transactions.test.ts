// Which transaction of a partition is the oldest, and when it is late (txn T-182).
import { expect, test } from 'vitest';
import type { ProducerEntry } from '../../src/log/producer-entry.ts';
import { isLate, oldestTransaction } from '../../src/node/late-transactions.ts';

const MINUTE_MS = 60_000;
const BEGUN_MS = 1_700_000_000_000;

function entry(currentTxnFirstOffset: number | undefined, lastTimestamp = BEGUN_MS): ProducerEntry {
  return { epoch: 0, coordinatorEpoch: -1, lastTimestamp, currentTxnFirstOffset, batches: [] };
}

test('txn T-182: the oldest is the one that began first, whenever its producer wrote last', () => {
  const producers = new Map([
    [1, entry(undefined, BEGUN_MS - 5)],
    [2, entry(40, BEGUN_MS - 9)],
    [3, entry(0, BEGUN_MS)],
  ]);
  expect(oldestTransaction(producers)).toEqual({ producerId: 3, startOffset: 0, lastTimestampMs: BEGUN_MS });
  expect(oldestTransaction(new Map([[1, entry(undefined)]]))).toBeUndefined();
});

test('txn T-182: late is silent for longer than transaction.max.timeout.ms and 5 minutes, to the millisecond', () => {
  const oldest = { producerId: 3, startOffset: 0, lastTimestampMs: BEGUN_MS };
  const limit = BEGUN_MS + 15 * MINUTE_MS + 5 * MINUTE_MS;
  expect([limit, limit + 1].map((now) => isLate(oldest, now, 15 * MINUTE_MS))).toEqual([false, true]);
});
