// READABLE: what the next polls of a group bring, out of what its lag counts (txn T-133, T-143).
import { expect, test } from 'vitest';
import { ReadableCount, type ReadRange } from '../../src/cli/readable.ts';
import { TRANSACTIONAL } from '../../src/log/attributes.ts';
import { encodeMarker } from '../../src/log/control-batch.ts';
import { encodeBatch } from '../../src/log/encode-batch.ts';

const record = { timestamp: 1, key: null, value: null };
const plain = (baseOffset: number, records = 1): Buffer =>
  encodeBatch(Array<typeof record>(records).fill(record), { baseOffset });
const of = (producerId: number, baseOffset: number, records = 1): Buffer =>
  encodeBatch(Array<typeof record>(records).fill(record), {
    ...{ baseOffset, attributes: TRANSACTIONAL, producerId, producerEpoch: 0, baseSequence: 0 },
  });
const marker = (type: 'commit' | 'abort', producerId: number, baseOffset: number): Buffer =>
  encodeMarker({ type, producerId, producerEpoch: 0, coordinatorEpoch: 0, timestamp: 1 }, { baseOffset });

/** Producer 1 commits 0-2, producer 2 aborts 4-5; plain: 7-9; producer 3 begins at 10 and commits at 14, behind the end. */
const LOG = [
  ...[of(1, 0, 3), marker('commit', 1, 3), of(2, 4, 2), marker('abort', 2, 6), plain(7, 3), of(3, 10)],
  ...[of(4, 11), plain(12), plain(13), marker('commit', 3, 14)],
];

function count(range: ReadRange, log = LOG): number {
  const counted = new ReadableCount(range);
  for (const batch of log) counted.take(batch);
  return counted.count;
}

test('a reader of everything skips markers alone', () => {
  expect(count({ from: 0, to: 15, committedOnly: false })).toBe(12);
  expect(count({ from: 3, to: 7, committedOnly: false })).toBe(2);
});

test('a reader of the committed skips what was aborted too', () => {
  expect(count({ from: 0, to: 10, committedOnly: true })).toBe(6);
  expect(count({ from: 4, to: 7, committedOnly: true })).toBe(0);
});

test('a transaction below the end counts though its marker stands behind it', () => {
  expect(count({ from: 10, to: 11, committedOnly: true })).toBe(1);
});

test('from inside a batch only what follows counts', () => {
  expect(count({ from: 8, to: 10, committedOnly: true })).toBe(2);
  expect(count({ from: 2, to: 4, committedOnly: true })).toBe(1);
});

test('the last slot is a marker: a lag of one, and nothing to read', () => {
  expect(count({ from: 3, to: 4, committedOnly: false })).toBe(0);
});

test('it is done at the end, once all below is decided', () => {
  const counted = new ReadableCount({ from: 10, to: 11, committedOnly: true });
  const done = LOG.map((batch) => {
    counted.take(batch);
    return counted.done;
  });
  expect(done.indexOf(true)).toBe(-1);
  counted.take(plain(15));
  expect(counted.done).toBe(true);
  expect(new ReadableCount({ from: 5, to: 5, committedOnly: true }).done).toBe(true);
});
