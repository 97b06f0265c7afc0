// repl I-11, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { ordersStory } from '../story.ts';

describe('repl I-11: no inactive broker in an ISR', () => {
  test('a fenced broker stays in', () => {
    expect(ordersStory().broker(3, { fenced: true }).end()).toEqual(['repl I-11 orders-0']);
  });
  test('a broker that shuts down stays in', () => {
    const story = ordersStory().broker(3, { inControlledShutdown: true }).isr(1, {});
    expect(story.found).toEqual(['repl I-11 orders-0']);
  });
  test('innocent: the records of one decision are judged together', () => {
    expect(
      ordersStory()
        .broker(3, { inControlledShutdown: true })
        .change({ isr: [1, 2] })
        .end(),
    ).toEqual([]);
  });
  test('innocent: a sole member is kept without a leader (repl R-92)', () => {
    const story = ordersStory()
      .change({ isr: [1] })
      .change({ leader: -1 })
      .broker(1, { fenced: true });
    expect(story.end()).toEqual([]);
  });
});
