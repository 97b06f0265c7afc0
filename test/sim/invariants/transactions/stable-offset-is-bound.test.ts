// txn INV-1, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { batch } from '../story.ts';
import { data, logged, lso } from '../txn-story.ts';

const NAMED = 'orders-0';

describe('txn INV-1: the last stable offset lies between log start and high watermark', () => {
  test('above the high watermark', () => {
    const story = logged([data(0, 0), data(1, 1)], 1);
    expect(story.tell(1, lso(2)).end()).toContain(`txn INV-1 ${NAMED}`);
  });
  test('innocent: at the high watermark', () => {
    const story = logged([batch(0, 0), data(1, 0)], 1);
    expect(story.tell(1, lso(1)).end()).toEqual([]);
  });
  test('innocent: what was told of a log that is opened anew says nothing of it', () => {
    const story = logged([batch(0, 0), data(1, 0)], 1).tell(2, lso(1));
    expect(story.opened(2, [batch(0, 0), data(1, 0)]).end()).toEqual([]);
  });
});
