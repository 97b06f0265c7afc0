// txn INV-14, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { logged, marker } from '../txn-story.ts';

const NAMED = 'orders-0';

describe('txn INV-14: who obeyed a newer coordinator obeys no older one', () => {
  const by = (...epochs: number[]) => epochs.map((coordinatorEpoch, at) => marker(at, { coordinatorEpoch }));
  test('a marker of the older one', () => expect(logged(by(2, 1)).end()).toEqual([`txn INV-14 ${NAMED}`]));
  test('innocent: again by the same, and by the next', () => expect(logged(by(1, 1, 2)).end()).toEqual([]));
});
