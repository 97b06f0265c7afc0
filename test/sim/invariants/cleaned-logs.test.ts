// Invariants over logs that a cleaner has been at (txn T-114): holes are innocent below where it was, and nowhere else.
import { describe, expect, test } from 'vitest';
import { batch, batches, ORDERS, ordersStory, type Story } from './story.ts';

describe('txn T-114: where a cleaner was', () => {
  const cleaned = (story: Story, upTo: number): Story => story.tell(1, { type: 'log.cleaned', ...ORDERS, upTo });
  const opened = { highWatermark: 4 };
  test('innocent: holes and other content below', () => {
    const story = cleaned(ordersStory().opened(1, batches(0, 4, 0), opened), 3);
    story.opened(1, [batch(1, 0, { crc: 7 }), ...batches(2, 4, 0)], opened);
    expect(story.opened(2, [batch(2, 0, { crc: 9 }), batch(3, 0)], opened).end()).toEqual([]);
  });
  test('a hole above', () => {
    const story = cleaned(ordersStory().opened(1, batches(0, 5, 0), { highWatermark: 5 }), 2);
    expect(story.opened(2, [batch(2, 0), batch(4, 0)], { highWatermark: 5 }).end()).toEqual([
      'repl I-6 orders-0',
      'repl I-7 orders-0',
    ]);
  });
  test('another epoch at the same offset below', () => {
    const story = cleaned(ordersStory().opened(1, [batch(0, 0), ...batches(1, 4, 1)], opened), 3);
    expect(story.opened(2, [batch(1, 0), ...batches(2, 4, 1)], opened).end()).toEqual(['repl I-7 orders-0']);
  });
  test('repl I-29: a batch above that a restart lost', () => {
    const story = cleaned(ordersStory().opened(1, batches(0, 4, 0), opened), 2);
    expect(story.opened(1, [batch(2, 0)], { highWatermark: 2 }).end()).toEqual(['repl I-29 orders-0']);
  });
});
