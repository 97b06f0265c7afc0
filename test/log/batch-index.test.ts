// Which bytes a log keeps in memory, and where its batches stand.
import { describe, expect, test } from 'vitest';
import { BatchIndex } from '../../src/log/batch-index.ts';

const NOBODY = { attributes: 0, producerId: -1, producerEpoch: -1, baseSequence: -1 };

/** Batches of two offsets and ten bytes each, of which the newest 30 bytes are kept. */
function index(count: number): BatchIndex {
  const batches = new BatchIndex(30);
  for (let i = 0; i < count; i++) push(batches, 2 * i);
  return batches;
}

function push(batches: BatchIndex, baseOffset: number): void {
  const fields = { leaderEpoch: 0, crc: baseOffset, maxTimestamp: 0, sizeBytes: 10, ...NOBODY };
  batches.push(
    { baseOffset, lastOffset: baseOffset + 1, previousEnd: baseOffset, ...fields },
    Buffer.alloc(10, baseOffset),
  );
}

/** First byte of what is in memory, '-' for what is not. */
const inMemory = (batches: BatchIndex): string =>
  batches
    .entries()
    .map((_, place) => batches.bytesAt(place)?.[0] ?? '-')
    .join(' ');

describe('the newest bytes stay in memory', () => {
  test('up to the limit', () => {
    expect(inMemory(index(5))).toBe('- - 4 6 8');
  });

  test('the last batch in any case', () => {
    const batches = new BatchIndex(0);
    for (const base of [0, 2, 4]) push(batches, base);
    expect(inMemory(batches)).toBe('- - 4');
  });

  test('the limit holds after the front is dropped and after the end is cut', () => {
    const batches = index(5);
    batches.dropFront(4);
    for (const base of [10, 12, 14, 16]) push(batches, base);
    expect(inMemory(batches)).toBe('- - 12 14 16');
    batches.cut(3);
    for (const base of [14, 16, 18]) push(batches, base);
    expect(inMemory(batches)).toBe('- - - 14 16 18');
    batches.cut(0);
    for (const base of [0, 2]) push(batches, base);
    expect(inMemory(batches)).toBe('0 2');
  });

  test('what was loaded without bytes is read from the store', () => {
    const batches = new BatchIndex(30);
    const loaded = { leaderEpoch: 0, crc: 0, maxTimestamp: 0, sizeBytes: 10, ...NOBODY };
    batches.push({ baseOffset: 0, lastOffset: 1, previousEnd: 0, ...loaded });
    push(batches, 2);
    expect(inMemory(batches)).toBe('- 2');
  });
});

test('sizes of ranges survive dropping and cutting', () => {
  const batches = index(5);
  batches.dropFront(1);
  batches.cut(3);
  push(batches, 20);
  expect([batches.length, batches.sizeBetween(0, 4), batches.sizeBetween(1, 3), batches.sizeBetween(3, 1)]).toEqual([
    ...[4, 40, 20, 0],
  ]);
  expect([0, 2, 3, 7, 8, 21, 22].map((offset) => batches.find(offset))).toEqual([0, 0, 0, 2, 3, 3, 4]);
});
