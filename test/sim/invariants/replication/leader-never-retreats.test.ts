// repl I-5, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { batches, replicated } from '../story.ts';

describe('repl I-5: a leader never retreats', () => {
  test('its high watermark falls', () => expect(replicated(3).hw(1, 3, 2).end()).toEqual(['repl I-5 orders-0']));
  test('it cuts its log', () => {
    const story = replicated(3)
      .append(1, batches(3, 5, 0))
      .truncate(1, 5, 4, 3);
    expect(story.end()).toEqual(['repl I-5 orders-0']);
  });
  test('innocent: followers do both', () => {
    const story = replicated(3)
      .append(2, batches(3, 5, 0))
      .truncate(2, 5, 4, 3)
      .hw(2, 3, 2);
    expect(story.endOf('repl I-5')).toEqual([]);
  });
  test('innocent: after a restart, or as a follower, the series is over', () => {
    const story = replicated(3).opened(1, batches(0, 3, 0), { highWatermark: 2 });
    story.change({ isr: [2, 3], leader: 2 }).follow(1, { leaderEpoch: 1, partitionEpoch: 1, leader: 2 });
    expect(story.truncate(1, 3, 2, 2).end()).not.toContain('repl I-5 orders-0');
  });
});
