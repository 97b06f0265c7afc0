// repl I-15, told by hand: planted violations, and their innocent look-alikes.
import { describe, expect, test } from 'vitest';
import { replicated } from '../story.ts';
import { answered, type Of } from '../told.ts';

describe('repl I-15: acks=all is answered when it is committed', () => {
  const answer = (rest: Of<'produce.answered'>): string[] => answered(replicated(3), 1, rest).end();

  test('the high watermark is at the record', () => {
    expect(answer({ lastOffset: 2, highWatermark: 2 })).toEqual(['repl I-15 orders-0']);
  });
  test('the maximal ISR is too small', () => expect(answer({ maximalIsr: [1] })).toEqual(['repl I-15 orders-0']));
  test('innocent: acks=1 is answered at once', () => {
    expect(answer({ acks: 1, lastOffset: 2, highWatermark: 0, maximalIsr: [1] })).toEqual([]);
  });
  test('innocent: an error promises nothing', () => {
    expect(answer({ error: 'NOT_ENOUGH_REPLICAS_AFTER_APPEND', maximalIsr: [1] })).toEqual([]);
  });
});
