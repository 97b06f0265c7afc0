// What is kept of a message: as little memory as its bytes need, give or take half.
import { expect, test } from 'vitest';
import { keepBytes } from '../../src/base/keep-bytes.ts';

const message = Buffer.from(new Uint8Array(1000).map((_, at) => at).buffer);

test('bytes that fill most of their memory are kept as they are', () => {
  const most = message.subarray(100);
  expect(keepBytes(most)).toBe(most);
});

test('few bytes of much memory are copied, so that they do not keep it alive', () => {
  const few = message.subarray(100, 200);
  const kept = keepBytes(few);
  expect(kept).toEqual(few);
  expect(kept.buffer).not.toBe(message.buffer);
});
