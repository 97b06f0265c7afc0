// Wire W-91.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { VarintReader, sizeOfVarint, writeVarint } from '../../src/base/varint.ts';

function encode(value: number): Buffer {
  const buffer = Buffer.alloc(10);
  const end = writeVarint(buffer, 0, value);
  expect(end).toBe(sizeOfVarint(value));
  return buffer.subarray(0, end);
}

test.each([
  [0, '00'],
  [-1, '01'],
  [1, '02'],
  [300, 'd804'],
  [2147483647, 'feffffff0f'],
  [-2147483648, 'ffffffff0f'],
])('wire W-91: %d is written as %s', (value, hex) => {
  expect(encode(value).toString('hex')).toBe(hex);
  expect(new VarintReader(Buffer.from(hex, 'hex'), 0, hex.length / 2).varint()).toBe(value);
});

test('wire W-91: every 32-bit number survives as varint, every safe one as varlong', () => {
  const int = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });
  const long = fc.integer({ min: -(2 ** 52), max: 2 ** 52 - 1 });
  fc.assert(
    fc.property(int, long, (a, b) => {
      const short = encode(a);
      expect(new VarintReader(short, 0, short.length).varint()).toBe(a);
      const wide = encode(b);
      const reader = new VarintReader(wide, 0, wide.length);
      expect(reader.varlong()).toBe(b);
      expect([reader.at, reader.broken]).toEqual([wide.length, false]);
    }),
    { seed: 91, numRuns: 500 },
  );
});

test.each([
  ['a number that is cut off', 'ff'],
  ['nothing', ''],
  ['a sixth byte', '808080808001'],
  ['more than 32 bits', 'ffffffff1f'],
])('wire W-91: %s is no varint', (_what, hex) => {
  const bytes = Buffer.from(hex, 'hex');
  const reader = new VarintReader(bytes, 0, bytes.length);
  expect(reader.varint()).toBe(0);
  expect(reader.broken).toBe(true);
  expect(reader.at).toBeLessThanOrEqual(bytes.length);
});

test.each([
  ['beyond 2^53', 'ffffffffffffffffff01'],
  ['an eleventh byte', '8080808080808080808001'],
  ['cut off', '80'],
])('wire W-91: a varlong %s is refused', (_what, hex) => {
  const bytes = Buffer.from(hex, 'hex');
  const reader = new VarintReader(bytes, 0, bytes.length);
  reader.varlong();
  expect(reader.broken).toBe(true);
});
