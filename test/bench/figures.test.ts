// What the benchmark makes of its measurements, and what its two sides must have in common to be compared.
import { describe, expect, test } from 'vitest';
import { decodeBatches, decodeNumbered, encodeBatches, encodeNumbered } from '../../bench/bare/frames.ts';
import { alternate, figure, isMet, quantile, ratio, spread, type Result } from '../../bench/figures.ts';
import { checkedHistory } from '../../bench/product/history.ts';
import { BATCH_BYTES, RECORD_VALUE_BYTES, RECORDS_PER_BATCH } from '../../bench/sizes.ts';
import { formatNumber, formatTable } from '../../bench/table.ts';
import { encodeBatch } from '../../src/log/encode-batch.ts';

const result = (judged: number, kind: 'at most' | 'at least', value: number): Result => ({
  ...{ row: 'r', what: 'w', figure: figure([judged], 'ms'), judged: figure([judged], 'x') },
  bar: { kind, value },
});

describe('figures', () => {
  test('the median of an even number of rounds lies between the two in the middle', () => {
    expect(spread([4, 1, 3, 2])).toEqual({ median: 2.5, min: 1, max: 4 });
    expect(spread([9, 1, 5])).toEqual({ median: 5, min: 1, max: 9 });
    expect(quantile([5, 1, 4, 2, 3], 0.5)).toBe(3);
  });

  test('both sides are measured in turns, and take turns in going first', async () => {
    const order: string[] = [];
    const measure = (side: string, value: number) => () => {
      order.push(side);
      return Promise.resolve(value);
    };
    const rounds = await alternate(3, measure('ours', 1), measure('bare', 2));
    expect(order).toEqual(['ours', 'bare', 'bare', 'ours', 'ours', 'bare']);
    expect(ratio(rounds)).toEqual({ median: 0.5, min: 0.5, max: 0.5, unit: 'x' });
  });

  test('ratios are made round by round, not of medians', () => {
    expect(ratio({ ours: [1, 10, 3], bare: [1, 5, 1] })).toMatchObject({ median: 2, min: 1, max: 3 });
  });

  test('a bar is held by the median, from its own side; without a bar nothing is held', () => {
    expect(isMet(result(2, 'at most', 2))).toBe(true);
    expect(isMet(result(2.1, 'at most', 2))).toBe(false);
    expect(isMet(result(2, 'at least', 2))).toBe(true);
    expect(isMet(result(1.9, 'at least', 2))).toBe(false);
    expect(isMet({ row: 'r', what: 'w', figure: figure([1], 'ms') })).toBeUndefined();
  });

  test('the table gives figures with their range and says what was missed', () => {
    expect([0.123, 12.34, 123.4, 1234.5, 1_234_567].map(formatNumber)).toEqual([
      '0.12',
      '12.3',
      '123',
      '1 235',
      '1 234 567',
    ]);
    const [heading, line] = formatTable([result(3, 'at most', 2)]).split('\n');
    expect(heading).toMatch(/^row +what +figure/);
    expect(line).toMatch(/^r +w +3\.00 ms +3\.00 x +<= 2\.00 x +MISSED$/);
  });
});

describe('what is compared', () => {
  test('a batch of ours holds as many records as its bytes count for, and one more would not fit', () => {
    const record = { timestamp: 1_700_000_000_000, key: null, value: Buffer.alloc(RECORD_VALUE_BYTES), headers: [] };
    const sizeOf = (count: number): number => encodeBatch(Array.from({ length: count }, () => record)).length;
    expect(RECORDS_PER_BATCH * 1024).toBe(BATCH_BYTES);
    expect(sizeOf(RECORDS_PER_BATCH)).toBeLessThanOrEqual(BATCH_BYTES);
    expect(sizeOf(RECORDS_PER_BATCH)).toBeGreaterThan(BATCH_BYTES * 0.99);
    expect(sizeOf(RECORDS_PER_BATCH + 1)).toBeGreaterThan(BATCH_BYTES);
  });

  test('frames of the bare pipeline give back what was put in', () => {
    expect(decodeNumbered(encodeNumbered(7, Buffer.from('batch')))).toEqual({ number: 7, bytes: Buffer.from('batch') });
    const batches = ['one', '', 'three'].map((text) => Buffer.from(text));
    expect(decodeBatches(encodeBatches(batches))).toEqual(batches);
  });

  test('the history to be checked has the anomalies that it plants, and no others', () => {
    checkedHistory.make({ sends: 60_000 });
    expect(checkedHistory.check()).toBeGreaterThan(0); // It throws if they are not found.
  });
});
