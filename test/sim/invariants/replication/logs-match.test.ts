// repl I-6, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { batch, batches, ordersStory } from '../story.ts';

describe('repl I-6: one batch, one past', () => {
  test('other content under one name', () => {
    const story = ordersStory().append(1, batches(0, 2, 0));
    story.append(2, [batch(0, 0), batch(1, 0, { crc: 99 })]).epochs(2, [[0, 0]]);
    expect(story.endOf('repl I-6')).toEqual(['repl I-6 orders-0']);
  });
  test('another batch before an equal one', () => {
    const story = ordersStory().opened(1, [batch(0, 0), batch(1, 1), batch(2, 2)]);
    story.opened(2, [batch(0, 0), batch(1, 0), batch(2, 2)]);
    expect(story.end()).toEqual(['repl I-6 orders-0']);
  });
  test('a hole before an equal one', () => {
    const story = ordersStory().opened(1, [batch(0, 0), batch(1, 0), batch(2, 0)]);
    expect(story.opened(2, [batch(0, 0), batch(2, 0)]).end()).toEqual(['repl I-6 orders-0']);
  });
  test('innocent: the tails of two epochs differ until one is cut', () => {
    const story = ordersStory().opened(1, [...batches(0, 2, 0), batch(2, 1)]);
    expect(story.opened(2, [...batches(0, 2, 0), batch(2, 0), batch(3, 0)]).end()).toEqual([]);
  });
  test('innocent: one log starts later', () => {
    const story = ordersStory().opened(1, batches(0, 6, 0));
    expect(story.opened(2, batches(3, 6, 0), { logStartOffset: 3, highWatermark: 3 }).end()).toEqual([]);
  });
});
