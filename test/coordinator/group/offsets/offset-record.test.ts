// Bytes of offset records (wire 8.1, G-9).
import { expect, test } from 'vitest';
import { DecodeError } from '../../../../src/base/field-reader.ts';
import {
  decodeOffsetKey,
  decodeOffsetValue,
  encodeOffsetKey,
  encodeOffsetValue,
  isSameTopicId,
} from '../../../../src/coordinator/group/offsets/offset-record.ts';

const KEY = { groupId: 'g', topic: 'tt', partition: 3 };
const VALUE = { offset: 10, leaderEpoch: 2, metadata: 'm', commitTimestamp: 5, expireTimestamp: -1, topicId: '' };
const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

test('wire 8.1: a key is written as version 1 and read as 0 and 1', () => {
  expect(encodeOffsetKey(KEY)).toEqual(hex('0001 000167 00027474 00000003'));
  expect(decodeOffsetKey(encodeOffsetKey(KEY))).toEqual(KEY);
  expect(decodeOffsetKey(hex('0000 000167 00027474 00000003'))).toEqual(KEY);
  expect(() => decodeOffsetKey(hex('0002 000167'))).toThrow(DecodeError);
});

test('wire G-9: a value is written as version 4, with the topic id in tag 0, or without', () => {
  const head = '0004 000000000000000a 00000002 026d 0000000000000005';
  expect(encodeOffsetValue(VALUE)).toEqual(hex(`${head} 00`));
  const topicId = Buffer.alloc(16, 7).toString('base64url');
  const named = encodeOffsetValue({ ...VALUE, topicId });
  expect(named).toEqual(hex(`${head} 01 00 10 ${'07'.repeat(16)}`));
  expect(decodeOffsetValue(named)).toEqual({ ...VALUE, topicId });
});

test('wire G-9: a commit that expires by itself is written as version 1', () => {
  const value = { ...VALUE, leaderEpoch: -1, expireTimestamp: 9 };
  const bytes = hex('0001 000000000000000a 00016d 0000000000000005 0000000000000009');
  expect(encodeOffsetValue({ ...value, leaderEpoch: 2, topicId: 'dropped' })).toEqual(bytes);
  expect(decodeOffsetValue(bytes)).toEqual(value);
});

test('wire 8.1: all versions are read, and no others', () => {
  const plain = '000000000000000a 00016d 0000000000000005';
  const old = { ...VALUE, leaderEpoch: -1 };
  expect(decodeOffsetValue(hex(`0000 ${plain}`))).toEqual(old);
  expect(decodeOffsetValue(hex(`0002 ${plain}`))).toEqual(old);
  expect(decodeOffsetValue(hex('0003 000000000000000a 00000002 00016d 0000000000000005'))).toEqual(VALUE);
  const noId = `0004 000000000000000a 00000002 026d 0000000000000005 01 00 10 ${'00'.repeat(16)}`;
  expect(decodeOffsetValue(hex(noId))).toEqual(VALUE);
  expect(() => decodeOffsetValue(hex('0005'))).toThrow(DecodeError);
  expect(() => decodeOffsetValue(hex('0004 00'))).toThrow(DecodeError);
});

test('wire G-9: ids are compared by their 16 bytes, as bits of the last character are no part of them', () => {
  const id = 'BwcHBwcHBwcHBwcHBwcHBw';
  expect(isSameTopicId(id, `${id.slice(0, -1)}x`)).toBe(true);
  expect(isSameTopicId(id, `C${id.slice(1)}`)).toBe(false);
});
