// repl I-4, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { batches, ordersStory, type Story } from '../story.ts';

describe('repl I-4: no advance below min ISR', () => {
  const alone = (minIsr: number): Story => {
    const story = ordersStory()
      .append(1, batches(0, 1, 0))
      .change({ isr: [1] });
    return story.isr(1, { isr: [1], maximalIsr: [1], partitionEpoch: 1, minIsr }).hw(1, 0, 1);
  };
  test('one member where two are needed', () => expect(alone(2).end()).toEqual(['repl I-4 orders-0']));
  test('innocent: one member where one is enough', () => expect(alone(1).end()).toEqual([]));
  test('a pending expansion does not count', () => {
    const story = ordersStory()
      .append(1, batches(0, 1, 0))
      .change({ isr: [1] });
    story
      .append(2, batches(0, 1, 0))
      .epochs(2, [[0, 0]])
      .recorded(1, 2, 1);
    story.isr(1, { state: 'pending-expand', isr: [1], maximalIsr: [1, 2], partitionEpoch: 1 });
    expect(story.hw(1, 0, 1).end()).toEqual(['repl I-4 orders-0']);
  });
});
