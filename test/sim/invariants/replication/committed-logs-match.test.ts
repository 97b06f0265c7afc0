// repl I-7, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { batch, batches, ordersStory, replicated, type Story } from '../story.ts';

describe('repl I-7: committed logs are equal', () => {
  const diverged = (highWatermark: number): Story => {
    const story = ordersStory().opened(2, [batch(0, 0), batch(1, 0)], { highWatermark: 2 });
    return story.opened(3, [batch(0, 0), batch(1, 1)], { highWatermark });
  };
  test('two replicas disagree below both high watermarks', () => {
    expect(diverged(2).end()).toEqual(['repl I-7 orders-0']);
  });
  test('the disagreement shows when the lower high watermark rises', () => {
    const story = diverged(1);
    expect(story.found).toEqual([]);
    expect(story.hw(3, 1, 2).end()).toEqual(['repl I-7 orders-0']);
  });
  test('innocent: above one of the high watermarks they may disagree', () => {
    expect(diverged(1).end()).toEqual([]);
  });
  test('innocent (U): after an unclean election', () => {
    const story = ordersStory().change({ isr: [3], leader: 3, unclean: true });
    story.opened(2, [batch(0, 0), batch(1, 0)], { highWatermark: 2 });
    expect(story.opened(3, [batch(0, 0), batch(1, 1)], { highWatermark: 2 }).end()).toEqual([]);
  });
  test('innocent (P): the leader lost its tail with the power', () => {
    const story = replicated(3).opened(3, batches(0, 1, 0), { lossy: true });
    story.change({ leader: 3, isr: [3] }).lead(3, { leaderEpoch: 1, partitionEpoch: 1, isr: [3], minIsr: 1 });
    story.append(3, [batch(1, 1)], { role: 'leader' }).epochs(3, [
      [0, 0],
      [1, 1],
    ]);
    story.hw(3, 0, 2, { role: 'leader', leaderEpoch: 1 });
    expect(story.end()).toEqual([]);
  });
});
