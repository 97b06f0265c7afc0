// repl I-1, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { batches, ORDERS, ordersStory, replicated } from '../story.ts';

describe('repl I-1: logStart <= LSO <= HW <= LEO', () => {
  test('a high watermark beyond the log end', () => {
    const story = ordersStory().opened(3, batches(0, 2, 0), { highWatermark: 3 });
    expect(story.end()).toEqual(['repl I-1 orders-0']);
  });
  test('a log start beyond the high watermark', () => {
    const story = ordersStory().opened(3, batches(4, 6, 0), { logStartOffset: 4, highWatermark: 2 });
    expect(story.end()).toContain('repl I-1 orders-0');
  });
  test('innocent: a log restarted further on is told as a cut and a new start', () => {
    const story = replicated(3).truncate(3, 3, 0, 9);
    story.tell(3, { type: 'log.start', ...ORDERS, logStartOffset: 9 }).epochs(3, []);
    // Such a follower is no member of the ISR any more.
    expect(story.end().filter((what) => what.startsWith('repl I-1 '))).toEqual([]);
  });
});
