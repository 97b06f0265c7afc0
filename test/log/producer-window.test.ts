// The window of batches that are known again, found in the log behind a snapshot (txn T-111, seq.wholeWindow): which batches
// of the log belong to it, and where it ends.
import { expect, test } from 'vitest';
import { BatchIndex } from '../../src/log/batch-index.ts';
import { withMarker, withBatch, firstSequenceOf } from '../../src/log/producer-entry.ts';
import type { ProducerEntry } from '../../src/log/producer-entry.ts';
import { withWholeWindows } from '../../src/log/producer-window.ts';

const TRANSACTIONAL = 0x10;
const CONTROL = 0x20;

interface Batch {
  /** Of its first record; undefined: it is a marker. */
  readonly sequence: number | undefined;
  readonly count?: number;
  readonly epoch?: number;
  readonly producerId?: number;
}

/** What the newest snapshot says at the end of a log of these batches, and what the log adds: the first sequences, by producer. */
function windows(...batches: readonly Batch[]): Record<number, readonly number[]> {
  const index = new BatchIndex(0);
  const known = new Map<number, ProducerEntry>();
  let end = 0;
  for (const { sequence, count = 1, epoch = 0, producerId = 7 } of batches) {
    const [baseOffset, lastOffset] = [end, end + count - 1];
    const numbered = { producerId, producerEpoch: epoch, baseSequence: sequence ?? -1, baseOffset, lastOffset };
    const attributes = sequence === undefined ? CONTROL | TRANSACTIONAL : 0;
    index.push({
      ...{ ...numbered, previousEnd: end, sizeBytes: 10, leaderEpoch: 0, crc: 0, maxTimestamp: 0, attributes },
    });
    const before = known.get(producerId);
    const marker = { producerEpoch: epoch, coordinatorEpoch: 0, timestamp: 0 };
    const after =
      sequence === undefined ? withMarker(before, marker) : withBatch(before, { ...numbered, maxTimestamp: 0 }, false);
    known.set(producerId, after);
    end = lastOffset + 1;
  }
  const snapshot = new Map([...known].map(([id, one]) => [id, { ...one, batches: one.batches.slice(-1) }]));
  const whole = withWholeWindows(snapshot, index, end);
  return Object.fromEntries([...whole].map(([id, one]) => [id, one.batches.map(firstSequenceOf)]));
}

const data = (...sequences: readonly number[]): Batch[] => sequences.map((sequence) => ({ sequence }));

test('txn T-98, T-111: five batches at most, the newest of them', () => {
  expect(windows(...data(0, 1))).toEqual({ 7: [0, 1] });
  expect(windows(...data(0, 1, 2, 3, 4, 5, 6))).toEqual({ 7: [2, 3, 4, 5, 6] });
  expect(windows({ sequence: 0, count: 3 }, { sequence: 3, count: 2 }, { sequence: 5 })).toEqual({ 7: [0, 3, 5] });
});

test('txn T-111: it ends where a batch is missing, as after a compaction: nothing before it is known', () => {
  expect(windows(...data(0, 1, 3, 4))).toEqual({ 7: [3, 4] });
});

test('txn T-92: it ends with its epoch, whatever the sequences say', () => {
  const before = { sequence: 2_147_483_647, epoch: 0 };
  expect(windows(before, { sequence: 0, epoch: 0 })).toEqual({ 7: [2_147_483_647, 0] });
  expect(windows(before, { sequence: 0, epoch: 1 })).toEqual({ 7: [0] });
});

test('txn T-93: a marker is no batch of it, though its epoch be the same; without a batch there is no window', () => {
  const marker = { sequence: undefined, epoch: 1 };
  expect(windows({ sequence: 0 }, marker, { sequence: 0, epoch: 1 })).toEqual({ 7: [0] });
  expect(windows({ sequence: 0, epoch: 1 }, marker, { sequence: 1, epoch: 1 })).toEqual({ 7: [0, 1] });
  expect(windows({ sequence: 0 }, marker)).toEqual({ 7: [] });
});

test('txn T-94: producers have windows of their own', () => {
  const other = [0, 1, 2].map((sequence) => ({ sequence, producerId: 8 }));
  expect(windows(...data(0), ...other, ...data(1))).toEqual({ 7: [0, 1], 8: [0, 1, 2] });
});
