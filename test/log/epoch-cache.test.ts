// The leader-epoch cache: repl, and the conformance vectors of R-26.
import { describe, expect, test } from 'vitest';
import { assignEpoch, cutEpochs, endOffsetFor, epochAt, raiseEpochs } from '../../src/log/epoch-cache.ts';
import type { EpochCache } from '../../src/log/epoch-cache.ts';

const CACHE: EpochCache = [
  [0, 0],
  [3, 2],
  [4, 8],
  [7, 13],
  [9, 14],
  [10, 17],
];
const LEO = 17;

/** Repl R-26, as a leader decides about a fetch. */
function judge(cache: EpochCache, logStart: number, epoch: number, fetchOffset: number): string {
  const end = endOffsetFor(cache, epoch, LEO);
  if (end === undefined || fetchOffset < logStart) return 'OFFSET_OUT_OF_RANGE';
  const diverging = end.epoch < epoch || end.endOffset < fetchOffset;
  return diverging ? `diverging (${end.epoch},${end.endOffset})` : 'no divergence';
}

describe('repl R-26, R-68: conformance vectors', () => {
  test.each([
    [2, 5, 'diverging (0,2)'],
    [0, 4, 'diverging (0,2)'],
    [6, 6, 'diverging (4,13)'],
    [5, 9, 'diverging (4,13)'],
    [10, 18, 'diverging (10,17)'],
    [0, 2, 'no divergence'],
    [7, 14, 'no divergence'],
    [9, 17, 'no divergence'],
    [10, 17, 'no divergence'],
    [11, 5, 'OFFSET_OUT_OF_RANGE'],
  ])('lastFetchedEpoch %i at offset %i: %s', (epoch, fetchOffset, expected) => {
    expect(judge(CACHE, 0, epoch, fetchOffset)).toBe(expected);
  });

  test.each([
    [2, 8, 'diverging (2,5)'],
    [0, 5, 'no divergence'],
    [3, 5, 'no divergence'],
    [0, 0, 'OFFSET_OUT_OF_RANGE'],
  ])('log start raised to 5, lastFetchedEpoch %i at offset %i: %s', (epoch, fetchOffset, expected) => {
    expect(judge(raiseEpochs(CACHE, 5), 5, epoch, fetchOffset)).toBe(expected);
  });

  test('nothing is known of an empty cache, of no epoch and of a newer one', () => {
    expect(endOffsetFor([], 0, 9)).toBeUndefined();
    expect(endOffsetFor(CACHE, -1, LEO)).toBeUndefined();
    expect(endOffsetFor(CACHE, 11, LEO)).toBeUndefined();
  });
});

describe('repl R-65: assigning', () => {
  test.each<[string, EpochCache, [number, number], EpochCache]>([
    ['to an empty cache', [], [3, 7], [[3, 7]]],
    [
      'a newer epoch',
      [[1, 0]],
      [2, 5],
      [
        [1, 0],
        [2, 5],
      ],
    ],
    [
      'over an epoch that wrote nothing',
      [
        [1, 0],
        [2, 5],
      ],
      [3, 5],
      [
        [1, 0],
        [3, 5],
      ],
    ],
    [
      'the latest epoch at a lower start',
      [
        [1, 0],
        [2, 5],
      ],
      [2, 4],
      [
        [1, 0],
        [2, 4],
      ],
    ],
    [
      'an older epoch removes the newer ones',
      [
        [1, 0],
        [4, 5],
        [6, 9],
      ],
      [3, 12],
      [
        [1, 0],
        [3, 12],
      ],
    ],
    [
      'a lower start removes all from there on',
      [
        [1, 2],
        [4, 5],
        [6, 9],
      ],
      [7, 2],
      [[7, 2]],
    ],
  ])('%s', (_what, before, [epoch, start], after) => {
    expect(assignEpoch(before, epoch, start)).toEqual(after);
  });

  test('the latest epoch again changes nothing', () => {
    expect(assignEpoch(CACHE, 10, 17)).toBe(CACHE);
    expect(assignEpoch(CACHE, 10, 30)).toBe(CACHE);
  });
});

describe('repl R-67: following the ends of the log', () => {
  test('a lower end drops entries that start at or above it', () => {
    expect(cutEpochs(CACHE, 13)).toEqual([
      [0, 0],
      [3, 2],
      [4, 8],
    ]);
    expect(cutEpochs(CACHE, 0)).toEqual([]);
    expect(cutEpochs(CACHE, 18)).toBe(CACHE);
  });

  test('a higher start keeps the epoch in force, from there on', () => {
    expect(raiseEpochs(CACHE, 9)).toEqual([
      [4, 9],
      [7, 13],
      [9, 14],
      [10, 17],
    ]);
    expect(raiseEpochs(CACHE, 13)).toEqual([
      [7, 13],
      [9, 14],
      [10, 17],
    ]);
    expect(raiseEpochs(CACHE, 40)).toEqual([[10, 40]]);
    expect(raiseEpochs(CACHE, 0)).toBe(CACHE);
    expect(raiseEpochs([[5, 10]], 3)).toEqual([[5, 10]]);
    expect(raiseEpochs([], 3)).toEqual([]);
  });
});

test('the epoch in force at an offset', () => {
  expect([0, 1, 2, 12, 13, 99].map((offset) => epochAt(CACHE, offset))).toEqual([0, 0, 3, 4, 7, 10]);
  expect(epochAt([[5, 10]], 9)).toBeUndefined();
});
