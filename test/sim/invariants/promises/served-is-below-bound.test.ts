// repl I-17, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { batches, replicated } from '../story.ts';
import { of, served } from '../told.ts';

describe('repl I-17: nobody is given what is not committed', () => {
  test('a batch above the high watermark', () => {
    const story = replicated(3).append(1, batches(3, 4, 0));
    expect(served(story, 1, { endOffset: 4, highWatermark: 4 }).end()).toEqual(['repl I-17 orders-0']);
  });
  test('read_committed: one above the last stable offset', () => {
    expect(of('repl I-17', served(replicated(3), 1, { lastStableOffset: 2 }))).toEqual(['repl I-17 orders-0']);
  });
  test('innocent: a follower serves what it knows to be committed (repl R-22)', () => {
    expect(served(replicated(3), 2, {}).end()).toEqual([]);
  });
});
