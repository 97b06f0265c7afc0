// Wire W-90.
import { expect, test } from 'vitest';
import { crc32c, tableCrc32c } from '../../src/base/crc32c.ts';

test('wire W-90: the check value of CRC-32C', () => {
  expect(crc32c(Buffer.from('123456789'))).toBe(0xe3069283);
  expect(crc32c(Buffer.alloc(0))).toBe(0);
  expect(crc32c(Buffer.alloc(32))).toBe(0x8a9136aa);
  expect(crc32c(Buffer.alloc(32, 0xff))).toBe(0x62a8ab43);
});

test('wire W-90: table and native implementation agree on every length around the switch', () => {
  const bytes = Buffer.from(Array.from({ length: 700 }, (_, i) => (i * 167 + 13) & 0xff));
  for (let end = 0; end <= 600; end++) expect(crc32c(bytes, 3, 3 + end)).toBe(tableCrc32c(bytes, 3, 3 + end));
  expect(crc32c(bytes, 10, 19)).toBe(crc32c(Buffer.from(bytes.subarray(10, 19))));
});
