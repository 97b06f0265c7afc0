// What records are called, and that whoever sends one and whoever finds it call it the same.
import { expect, test } from 'vitest';
import { isTombstone, keyOf, recordBytes, recordText } from '../../src/history/record-text.ts';

test.each([
  ['m0', null, 'm0'],
  ['k1=m0', 'k1', 'm0'],
  ['k1=a=b', 'k1', 'a=b'],
  ['k1=', 'k1', null],
  ['', null, ''],
] as const)('"%s"', (text, key, value) => {
  const bytes = recordBytes(text);
  expect([bytes.key?.toString() ?? null, bytes.value?.toString() ?? null]).toEqual([key, value]);
  expect(recordText(bytes.key, bytes.value)).toBe(text);
  expect([keyOf(text) ?? null, isTombstone(text)]).toEqual([key, value === null]);
});

test('a record without anything is called nothing', () => {
  expect(recordText(null, null)).toBe('');
});
