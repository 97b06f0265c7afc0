// repl I-12, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { ordersStory } from '../story.ts';

describe('repl I-12: a clean election takes its leader from the ISR', () => {
  test('from outside', () => {
    expect(
      ordersStory()
        .change({ isr: [1, 2] })
        .change({ leader: 3, isr: [3] })
        .end(),
    ).toEqual(['repl I-12 orders-0']);
  });
  test('innocent: marked unclean', () => {
    expect(
      ordersStory()
        .change({ isr: [1, 2] })
        .change({ leader: 3, isr: [3], unclean: true })
        .end(),
    ).toEqual([]);
  });
  test('innocent: a member, in the change that removes the old leader', () => {
    expect(
      ordersStory()
        .change({ leader: 2, isr: [2, 3] })
        .end(),
    ).toEqual([]);
  });
});
