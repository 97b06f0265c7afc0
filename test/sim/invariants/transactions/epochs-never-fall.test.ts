// txn INV-5, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { ORDERS } from '../story.ts';
import { data, grow, logged, marker } from '../txn-story.ts';

const NAMED = 'orders-0';

describe('txn INV-5: epochs of a producer never fall in a log', () => {
  const zombie = [data(0, 0, { epoch: 1 }), marker(1, { producerEpoch: 1 }), data(2, 0)];
  test('data of an older epoch', () => expect(logged(zombie).end()).toEqual([`txn INV-5 ${NAMED}`]));
  test('a marker of an older epoch', () => {
    expect(logged([data(0, 0, { epoch: 1 }), marker(1)]).end()).toEqual([`txn INV-5 ${NAMED}`]);
  });
  test('innocent: of another producer, and of one that was forgotten', () => {
    const other = [...zombie.slice(0, 2), data(2, 0, { producerId: 8 })];
    expect(logged(other).end()).toEqual([]);
    const story = logged(zombie.slice(0, 2)).tell(1, { type: 'producers.expired', ...ORDERS, producerIds: [7] });
    expect(grow(story, [data(2, 0)], 3, 2).end()).toEqual([]);
  });
});
