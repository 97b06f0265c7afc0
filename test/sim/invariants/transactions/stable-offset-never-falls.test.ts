// txn INV-20, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { batch } from '../story.ts';
import { data, logged, lso } from '../txn-story.ts';

const NAMED = 'orders-0';

describe('txn INV-20: a leader never lowers its last stable offset', () => {
  test('it does', () => {
    const story = logged([batch(0, 0), batch(1, 0), data(2, 0)]).tell(1, lso(2));
    expect(story.tell(1, lso(1, { from: 2, firstUnstableOffset: 2 })).end()).toEqual([`txn INV-20 ${NAMED}`]);
  });
  test('innocent: a follower with a lower high watermark, or the next leader', () => {
    const story = logged([batch(0, 0), batch(1, 0), data(2, 0)]).tell(1, lso(2));
    expect(story.tell(2, lso(1, { firstUnstableOffset: 2 })).end()).toEqual([]);
  });
});
