// The high watermark's arithmetic.
import { describe, expect, test } from 'vitest';
import { nextHighWatermark } from '../../src/node/high-watermark.ts';

const view = { highWatermark: 5, logEndOffset: 10, committedIsrSize: 2, minIsr: 2 };

describe('repl R-44: the high watermark is the smallest log end of the leader and of all that count', () => {
  test.each([
    { counted: [], to: 10 },
    { counted: [8], to: 8 },
    { counted: [8, 7], to: 7 },
    { counted: [12], to: 10 },
    { counted: [4], to: 5 },
    { counted: [9, -1], to: 5 },
  ])('$counted -> $to', ({ counted, to }) => {
    expect(nextHighWatermark({ ...view, counted })).toBe(to);
  });
});

describe('repl R-45: it does not move while the committed ISR is below the minimum', () => {
  test.each([
    { committedIsrSize: 1, minIsr: 2, to: 5 },
    { committedIsrSize: 2, minIsr: 2, to: 9 },
    { committedIsrSize: 1, minIsr: 1, to: 9 },
  ])('$committedIsrSize of $minIsr -> $to', ({ to, ...sizes }) => {
    expect(nextHighWatermark({ ...view, ...sizes, counted: [9] })).toBe(to);
  });
});
