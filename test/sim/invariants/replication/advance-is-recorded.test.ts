// repl I-3, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { batch, batches, ordersStory, replicated, type Story } from '../story.ts';

describe('repl I-3: an advance counts only what was recorded', () => {
  const appended = (): Story => ordersStory().append(1, batches(0, 2, 0));
  test('beyond the recorded end of a member of the maximal ISR', () => {
    const story = appended()
      .append(2, batches(0, 2, 0))
      .epochs(2, [[0, 0]])
      .append(3, batches(0, 2, 0))
      .epochs(3, [[0, 0]]);
    expect(story.recorded(1, 2, 2).recorded(1, 3, 1).hw(1, 0, 2).end()).toEqual(['repl I-3 orders-0']);
  });
  test('beyond what the advance itself says it counted', () => {
    const story = appended()
      .append(2, batches(0, 2, 0))
      .epochs(2, [[0, 0]])
      .append(3, batches(0, 2, 0))
      .epochs(3, [[0, 0]]);
    story
      .recorded(1, 2, 2)
      .recorded(1, 3, 2)
      .hw(1, 0, 2, { recorded: { 2: 2, 3: 1 } });
    expect(story.end()).toEqual(['repl I-3 orders-0']);
  });
  test('counting what was recorded in an earlier leadership', () => {
    const story = replicated(2).change({ leader: 2 }).follow(1, { leaderEpoch: 1, partitionEpoch: 1, leader: 2 });
    story.change({ leader: 1 }).lead(1, { leaderEpoch: 2, partitionEpoch: 2, epochStart: 2, highWatermark: 2 });
    story
      .epochs(1, [
        [0, 0],
        [2, 2],
      ])
      .append(1, [batch(2, 2)])
      .recorded(1, 3, 3);
    expect(story.hw(1, 2, 3).end()).toContain('repl I-3 orders-0');
  });
  test('innocent: a replica outside the maximal ISR may be behind', () => {
    const story = appended()
      .append(2, batches(0, 2, 0))
      .epochs(2, [[0, 0]])
      .change({ isr: [1, 2] });
    story.isr(1, { isr: [1, 2], maximalIsr: [1, 2], partitionEpoch: 1 });
    expect(story.recorded(1, 2, 2).hw(1, 0, 2).end()).toEqual([]);
  });
});
