// Shares of a campaign: every seed is in exactly one of them, whatever the range and the number of shares.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseSeeds, parseShard, shardOf } from '../../src/cli/seed-range.ts';

const MANY_SEEDS = 999_999_999_999_999;

describe('shares', () => {
  test('follow one another without a gap or an overlap, and differ by one seed at most', () => {
    const ranges = fc
      .record({ first: fc.integer({ min: 0, max: MANY_SEEDS }), more: fc.integer({ min: 0, max: MANY_SEEDS }) })
      .map(({ first, more }) => ({ first, last: Math.min(MANY_SEEDS, first + more) }));
    const sharded = ranges.chain((range) =>
      fc.integer({ min: 1, max: Math.min(500, range.last - range.first + 1) }).map((count) => ({ range, count })),
    );
    fc.assert(
      fc.property(sharded, ({ range, count }) => {
        const shares = Array.from({ length: count }, (_, index) => shardOf(range, { index, count }));
        let next = range.first;
        for (const share of shares) {
          expect(share.first).toBe(next);
          expect(share.last).toBeGreaterThanOrEqual(share.first);
          next = share.last + 1;
        }
        expect(next).toBe(range.last + 1);
        const sizes = shares.map(({ first, last }) => last - first);
        expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
      }),
      { seed: 4, numRuns: 300 },
    );
  });

  test('are the same for everybody who computes them', () => {
    const shares = [0, 1, 2].map((index) => shardOf(parseSeeds('1..10'), { index, count: 3 }));
    expect(shares).toEqual([
      { first: 1, last: 4 },
      { first: 5, last: 7 },
      { first: 8, last: 10 },
    ]);
    expect(shardOf(parseSeeds('7'), parseShard('0/1'))).toEqual({ first: 7, last: 7 });
  });

  test('are never empty: a run of no seed would pass', () => {
    expect(() => shardOf(parseSeeds('1..3'), parseShard('0/4'))).toThrow('1..3 are 3 seeds: too few for 4 shards');
    expect(() => shardOf(parseSeeds('7'), parseShard('1/2'))).toThrow('7..7 is one seed: too few for 2 shards');
  });
});

describe('what is written', () => {
  test('counts from 0, as JOB_COMPLETION_INDEX does', () => {
    expect(parseShard('0/8')).toEqual({ index: 0, count: 8 });
    expect(parseShard(' 7/8 ')).toEqual({ index: 7, count: 8 });
    expect(() => parseShard('8/8')).toThrow('counts from 0: of 8 the last is 7/8, not "8/8"');
  });

  test.each([
    '',
    '/',
    '3',
    '1/0',
    '0/0',
    '-1/8',
    '1/8/2',
    '1.5/8',
    'a/8',
    '/8',
    '1/',
    '$(JOB_COMPLETION_INDEX)/8',
    '1/100000',
  ])('what is no shard is refused with what to write: "%s"', (text) => {
    expect(() => parseShard(text)).toThrow(/^--shard is i\/n, e\.g\. 0\/8 to 7\/8, .*, not /);
  });

  test('seeds are a range or one number', () => {
    expect(parseSeeds('1..200')).toEqual({ first: 1, last: 200 });
    expect(parseSeeds('7')).toEqual({ first: 7, last: 7 });
    expect(parseSeeds('0..0')).toEqual({ first: 0, last: 0 });
    for (const text of ['', '5..1', '1..', '..5', '-1..5', '1...5', '1e3', '1..1234567890123456'])
      expect(() => parseSeeds(text)).toThrow(/^--seeds is A\.\.B or one number/);
  });
});
