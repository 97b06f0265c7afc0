// txn INV-10, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { batch } from '../story.ts';
import { data, logged, marker } from '../txn-story.ts';

const NAMED = 'orders-0';

describe('txn INV-10: one transaction of a producer at a time', () => {
  const next = data(1, 0, { epoch: 1 });
  test('the next one begins, and no marker ended the one before', () => {
    expect(logged([data(0, 0), next]).end()).toEqual([`txn INV-10 ${NAMED}`]);
  });
  test('a plain batch inside', () => {
    const plain = batch(1, 0, { producer: [7, 0, 1] });
    expect(logged([data(0, 0), plain]).end()).toEqual([`txn INV-10 ${NAMED}`]);
  });
  test('innocent: not committed, in the log of a leader that was replaced', () => {
    expect(logged([data(0, 0), next], 1).end()).toEqual([]);
  });
  test('innocent: a marker between them', () => {
    expect(logged([data(0, 0), marker(1, { producerEpoch: 1 }), data(2, 0, { epoch: 1 })]).end()).toEqual([]);
  });
});
