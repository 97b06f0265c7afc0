// repl I-10, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { ordersStory } from '../story.ts';

describe('repl I-10: leader in ISR, ISR among replicas, not empty', () => {
  test.each([
    ['a leader outside the ISR', { leader: 3, isr: [1, 2] }],
    ['an ISR member that is no replica', { isr: [1, 4] }],
    ['an empty ISR', { isr: [], leader: -1 }],
    ['a member twice', { isr: [1, 1] }],
  ])('%s', (_what, change) => {
    expect(ordersStory().broker(4).change(change).end()).toContain('repl I-10 orders-0');
  });
  test('innocent: no leader, with an ISR', () => {
    expect(
      ordersStory()
        .change({ leader: -1, isr: [1] })
        .end(),
    ).toEqual([]);
  });
});
