// repl I-13, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { ordersStory } from '../story.ts';

describe('repl I-13: the leader knows of every member that the controller may have', () => {
  test('the controller committed an expansion that the leader has given up', () => {
    const story = ordersStory()
      .change({ isr: [1, 2] })
      .isr(1, { isr: [1, 2], maximalIsr: [1, 2], partitionEpoch: 1 });
    expect(story.change({ isr: [1, 2, 3] }).end()).toEqual(['repl I-13 orders-0']);
  });
  test('innocent: the expansion is pending at the leader', () => {
    const story = ordersStory()
      .change({ isr: [1, 2] })
      .isr(1, { isr: [1, 2], maximalIsr: [1, 2], partitionEpoch: 1 });
    story.isr(1, { state: 'pending-expand', isr: [1, 2], partitionEpoch: 1 });
    expect(story.change({ isr: [1, 2, 3] }).end()).toEqual([]);
  });
  test('innocent: a shrink that the leader has not seen', () => {
    expect(
      ordersStory()
        .change({ isr: [1, 2] })
        .end(),
    ).toEqual([]);
  });
  test('innocent: a leader below min ISR, whose high watermark is frozen', () => {
    const story = ordersStory()
      .change({ isr: [1] })
      .isr(1, { isr: [1], maximalIsr: [1], partitionEpoch: 1 });
    expect(story.change({ isr: [1, 3] }).end()).toEqual([]);
  });
  test('innocent: a leader of an earlier epoch', () => {
    const story = ordersStory()
      .change({ isr: [1, 2] })
      .isr(1, { isr: [1, 2], maximalIsr: [1, 2], partitionEpoch: 1 });
    expect(story.change({ isr: [1, 2, 3], leader: 1 }).end()).toEqual([]);
  });
});
