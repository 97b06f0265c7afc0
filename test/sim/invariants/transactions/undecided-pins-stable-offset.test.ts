// txn INV-16, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { batch } from '../story.ts';
import { data, grow, logged, lso, marker } from '../txn-story.ts';

const NAMED = 'orders-0';

describe('txn INV-16: the undecided pins the last stable offset', () => {
  test('an open transaction below it', () => {
    expect(
      logged([data(0, 0), data(1, 1)])
        .tell(1, lso(1))
        .end(),
    ).toEqual([`txn INV-16 ${NAMED}`]);
  });
  test('a marker that is not replicated', () => {
    const story = logged([data(0, 0), marker(1), data(2, 1)], 1);
    expect(story.tell(2, lso(1, { firstUnstableOffset: 2 })).end()).toEqual([`txn INV-16 ${NAMED}`]);
  });
  test('one that its replica has forgotten', () => {
    const story = logged([data(0, 0), batch(1, 0)], 2).tell(1, lso(0));
    expect(story.tell(1, lso(2, { from: 0, firstUnstableOffset: -1 })).end()).toEqual([`txn INV-16 ${NAMED}`]);
  });
  test('innocent: the marker is below the high watermark', () => {
    const story = logged([data(0, 0), marker(1), data(2, 1)], 2);
    expect(story.tell(1, lso(2)).end()).toEqual([]);
  });
  test('innocent: nothing is undecided any more, and it is not told', () => {
    const story = logged([data(0, 0), batch(1, 0)], 2).tell(1, lso(0));
    grow(story, [marker(2)], 3, 2);
    expect(story.tell(1, lso(3, { from: 0, firstUnstableOffset: -1 })).end()).toEqual([]);
  });
});
