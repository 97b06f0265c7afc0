// Group metadata records and what consumers say of their topics, byte for byte (wire 8.1, G-9, G-40).
import { describe, expect, test } from 'vitest';
import { DecodeError } from '../../../src/base/field-reader.ts';
import { Writer } from '../../../src/base/field-writer.ts';
import {
  decodeGroupKey,
  decodeGroupValue,
  encodeGroupKey,
  encodeGroupValue,
  keyVersion,
} from '../../../src/coordinator/group/group-record.ts';
import type { GroupRecord } from '../../../src/coordinator/group/group-record.ts';
import { subscribedTopics } from '../../../src/coordinator/group/subscription.ts';
import { subscription } from './support/stage.ts';

const GROUP: GroupRecord = {
  ...{ protocolType: 'consumer', generation: 7, protocol: 'range', leader: 'm-1', stateSince: 1_700_000_000_000 },
  members: [
    {
      ...{ memberId: 'm-1', groupInstanceId: 'w', clientId: 'c', clientHost: '/h' },
      ...{ rebalanceTimeoutMs: 300, sessionTimeoutMs: 10 },
      ...{ subscription: Buffer.from([1, 2]), assignment: Buffer.from([3]) },
    },
  ],
};

/** The value of `GROUP` as a release of Kafka has written it. */
function written(version: number): Buffer {
  const out = new Writer(version >= 4).int16(version).string('consumer').int32(7).nullableString('range');
  out.nullableString('m-1');
  if (version >= 2) out.int64(1_700_000_000_000);
  out.structs(GROUP.members, () => {
    out.string('m-1');
    if (version >= 3) out.nullableString('w');
    out.string('c').string('/h');
    if (version >= 1) out.int32(300);
    out
      .int32(10)
      .bytes(Buffer.from([1, 2]))
      .bytes(Buffer.from([3]));
  });
  return Buffer.concat(out.tags().finish());
}

describe('wire 8.1: group metadata', () => {
  test('the key is version 2 and the group', () => {
    expect(encodeGroupKey('g').toString('hex')).toBe('0002000167');
    expect(decodeGroupKey(encodeGroupKey('групп'))).toBe('групп');
    expect(keyVersion(encodeGroupKey('g'))).toBe(2);
    expect(keyVersion(Buffer.from([0]))).toBe(-1);
  });

  test('version 3 is written, null where there is nothing', () => {
    expect(encodeGroupValue(GROUP)).toEqual(written(3));
    const empty = { ...{ protocolType: '', generation: 0, protocol: '', leader: '', stateSince: 1, members: [] } };
    const hex = '0003' + '0000' + '00000000' + 'ffff' + 'ffff' + '0000000000000001' + '00000000';
    expect(encodeGroupValue(empty).toString('hex')).toBe(hex);
    expect(decodeGroupValue(encodeGroupValue(empty))).toEqual(empty);
  });

  test.each([0, 1, 2, 3, 4])('version %i is read; what it lacks has a default', (version) => {
    const [member] = GROUP.members;
    expect(decodeGroupValue(written(version))).toEqual({
      ...GROUP,
      stateSince: version >= 2 ? GROUP.stateSince : -1,
      members: [
        {
          ...member,
          groupInstanceId: version >= 3 ? 'w' : '',
          rebalanceTimeoutMs: version >= 1 ? 300 : 10,
        },
      ],
    });
  });

  test('what is read does not hold on to the log', () => {
    const bytes = written(3);
    const [member] = decodeGroupValue(bytes).members;
    bytes.fill(0);
    expect(member!.subscription).toEqual(Buffer.from([1, 2]));
  });

  test('other versions and values that are cut short are refused', () => {
    for (const version of [-1, 5]) {
      const value = written(4);
      value.writeInt16BE(version, 0);
      expect(() => decodeGroupValue(value)).toThrow(DecodeError);
    }
    for (let length = 2; length < written(3).length; length++) {
      expect(() => decodeGroupValue(written(3).subarray(0, length))).toThrow(DecodeError);
    }
  });
});

describe('wire G-40: subscribed topics', () => {
  test('stand in the prefix that all versions share', () => {
    expect(subscribedTopics(subscription('orders', 'bills'))).toEqual(['orders', 'bills']);
    const later = Buffer.concat([subscription('orders'), Buffer.from([9, 9, 9])]);
    later.writeInt16BE(3, 0);
    expect(subscribedTopics(later)).toEqual(['orders']);
  });

  test('that cannot be read may be any', () => {
    expect(subscribedTopics(Buffer.alloc(0))).toBeUndefined();
    expect(subscribedTopics(subscription('orders').subarray(0, 9))).toBeUndefined();
    expect(subscribedTopics(Buffer.from('range'))).toBeUndefined();
  });
});
