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

test.each([
  ['a=x', 'a\\=x=v'],
  ['a\\', 'a\\\\=v'],
])('a key with "=" or a backslash in it: %s', (key, text) => {
  expect(recordText(Buffer.from(key), Buffer.from('v'))).toBe(text);
  expect(recordBytes(text)).toEqual({ key: Buffer.from(key), value: Buffer.from('v') });
  expect(keyOf(text)).toBe(text.slice(0, -2));
});

test('keys that are no text have names of their own', () => {
  const names = [Buffer.of(0xff, 1), Buffer.of(0xfe, 1)].map((key) => keyOf(recordText(key, null)));
  expect(names).toEqual(['0xff01', '0xfe01']);
});

test('a record without anything is called nothing', () => {
  expect(recordText(null, null)).toBe('');
});
