// Records of __transaction_state, byte for byte (txn T-9 to T-11).
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Writer } from '../../../src/base/field-writer.ts';
import { TRANSACTION_STATES } from '../../../src/coordinator/txn/metadata.ts';
import type { TransactionMetadata, TransactionState } from '../../../src/coordinator/txn/metadata.ts';
import { partitionSet } from '../../../src/coordinator/txn/partitions.ts';
import { IDENTITY_FIELDS, decodeRecord, encodeKey, encodeValue } from '../../../src/coordinator/txn/record-codec.ts';
import { metadata } from './support.ts';

const hex = (...parts: string[]): string => parts.join('').replaceAll(' ', '');
const KEY = encodeKey('t-1');
const decoded = (value: Buffer | null, without?: typeof IDENTITY_FIELDS) =>
  decodeRecord(KEY, value, without === undefined ? {} : { without });

const OPEN = metadata({
  transactionalId: 't-1',
  producerId: 4000,
  previousProducerId: 3999,
  nextProducerId: 4001,
  producerEpoch: 7,
  lastProducerEpoch: 6,
  timeoutMs: 60_000,
  state: 'PrepareCommit',
  partitions: [
    { topic: 'ab', partition: 0 },
    { topic: 'ab', partition: 3 },
    { topic: 'c', partition: 1 },
  ],
  startTimeMs: 258,
  lastUpdateMs: 515,
  clientTransactionVersion: 2,
});

const HEAD = '0000000000000fa0 0007 0000ea60 02';
const TIMES = '0000000000000203 0000000000000102';
const V0 = hex('0000', HEAD, '00000002 0002 6162 00000002 00000000 00000003 0001 63 00000001 00000001', TIMES);
const PARTITIONS_1 = '03 03 6162 03 00000000 00000003 00 02 63 02 00000001 00';
const PREVIOUS = '00 08 0000000000000f9f';
const NEXT = '01 08 0000000000000fa1';
const CLIENT = '02 02 0002';
const LAST = '64 02 0006';

test('txn T-9: a key is version 0 and the id', () => {
  expect(KEY.toString('hex')).toBe(hex('0000 0003 742d31'));
});

describe('txn T-10: the value, byte for byte', () => {
  test('version 0 at level 0: plain arrays, no identity but the current one', () => {
    expect(encodeValue(OPEN, { level: 0 }).toString('hex')).toBe(V0);
  });

  test.each([1, 2])('version 1 at level %i: compact arrays and tagged fields', (level) => {
    const expected = hex('0001', HEAD, PARTITIONS_1, TIMES, '04', PREVIOUS, NEXT, CLIENT, LAST);
    expect(encodeValue(OPEN, { level }).toString('hex')).toBe(expected);
  });

  test('tagged fields at their defaults are not written', () => {
    const plain = {
      ...OPEN,
      previousProducerId: -1,
      nextProducerId: -1,
      lastProducerEpoch: -1,
      clientTransactionVersion: 0,
    };
    expect(encodeValue(plain, { level: 2 }).toString('hex')).toBe(hex('0001', HEAD, PARTITIONS_1, TIMES, '00'));
  });

  test('the partitions are null exactly in Empty, and an empty array in a later state without any', () => {
    const none = { ...OPEN, partitions: [], previousProducerId: -1, nextProducerId: -1, lastProducerEpoch: -1 };
    const at = (state: TransactionState, level: number) =>
      encodeValue({ ...none, clientTransactionVersion: 0, state }, { level }).toString('hex');
    expect(at('Empty', 0)).toBe(hex('0000', HEAD.replace(/02$/, '00'), 'ffffffff', TIMES));
    expect(at('Empty', 1)).toBe(hex('0001', HEAD.replace(/02$/, '00'), '00', TIMES, '00'));
    expect(at('CompleteAbort', 0)).toBe(hex('0000', HEAD.replace(/02$/, '05'), '00000000', TIMES));
    expect(at('CompleteAbort', 1)).toBe(hex('0001', HEAD.replace(/02$/, '05'), '01', TIMES, '00'));
  });

  test('a null value is a tombstone', () => {
    expect(decoded(null)).toEqual({ kind: 'tombstone', transactionalId: 't-1' });
  });
});

describe('txn T-11: identities before the current one', () => {
  test('[D] all three are written in version 1', () => {
    expect(decoded(encodeValue(OPEN, { level: 2 }))).toEqual({ kind: 'metadata', metadata: OPEN });
  });

  test('none is in version 0, nor the variant of the client (txn T-190)', () => {
    expect(decoded(encodeValue(OPEN, { level: 0 }))).toEqual({
      kind: 'metadata',
      metadata: {
        ...OPEN,
        previousProducerId: -1,
        nextProducerId: -1,
        lastProducerEpoch: -1,
        clientTransactionVersion: 0,
      },
    });
  });

  test.each(IDENTITY_FIELDS)('%s can be left out, when it is written and when it is read', (field) => {
    const lost = { kind: 'metadata', metadata: { ...OPEN, [field]: -1 } };
    expect(decoded(encodeValue(OPEN, { level: 2, without: [field] }))).toEqual(lost);
    expect(decoded(encodeValue(OPEN, { level: 2 }), [field])).toEqual(lost);
  });

  test('left out altogether, the record is that of a release before 4.3', () => {
    const expected = hex('0001', HEAD, PARTITIONS_1, TIMES, '01', CLIENT);
    expect(encodeValue(OPEN, { level: 2, without: IDENTITY_FIELDS }).toString('hex')).toBe(expected);
  });
});

describe('txn T-9: what is not known is passed over, what is broken is told', () => {
  test('an unknown key version', () => {
    expect(decodeRecord(Buffer.from('0001', 'hex'), null)).toEqual({ kind: 'unknown', what: 'key version 1' });
  });

  test('an unknown value version', () => {
    expect(decoded(Buffer.from('0002ff', 'hex'))).toEqual({ kind: 'unknown', what: 'value version 2' });
    expect(decoded(Buffer.from('ffff', 'hex'))).toEqual({ kind: 'unknown', what: 'value version -1' });
  });

  test('unknown tags are skipped, in the value and in a topic: NextProducerEpoch (3) among them', () => {
    const tags = hex('03 03 02 0009', '63 01 ff', LAST);
    const partitions = '02 02 63 02 00000001 01 05 01 aa';
    const record = decoded(Buffer.from(hex('0001', HEAD, partitions, TIMES, tags), 'hex'));
    expect(record).toMatchObject({
      kind: 'metadata',
      metadata: { lastProducerEpoch: 6, partitions: [{ topic: 'c', partition: 1 }] },
    });
  });

  test('no cut of a record is read as another one', () => {
    for (const level of [0, 2]) {
      const whole = encodeValue(OPEN, { level });
      for (let length = 0; length < whole.length; length++) {
        expect(decoded(whole.subarray(0, length)).kind, `${length} bytes`).toBe('corrupt');
      }
    }
    expect(decodeRecord(null, null).kind).toBe('corrupt');
    expect(decodeRecord(KEY.subarray(0, 4), null).kind).toBe('corrupt');
  });

  test('a status that no state has', () => {
    expect(decoded(Buffer.from(V0.replace('0000ea6002', '0000ea6008'), 'hex'))).toEqual({
      kind: 'corrupt',
      why: 'transaction status 8',
    });
  });
});

test('txn T-13: states have their numbers; Dead and PrepareEpochFence are neither written nor read', () => {
  expect(TRANSACTION_STATES.map((state, id) => `${state} ${id}`)).toEqual([
    'Empty 0',
    'Ongoing 1',
    'PrepareCommit 2',
    'PrepareAbort 3',
    'CompleteCommit 4',
    'CompleteAbort 5',
    'Dead 6',
    'PrepareEpochFence 7',
  ]);
  for (const state of ['Dead', 'PrepareEpochFence'] as const) {
    expect(() => encodeValue({ ...OPEN, state }, { level: 2 })).toThrow('txn T-13');
    const id = TRANSACTION_STATES.indexOf(state);
    expect(() => decoded(Buffer.from(V0.replace('0000ea6002', `0000ea600${id}`), 'hex'))).toThrow('txn T-13');
  }
});

test('txn T-10: any metadata comes back as it was', () => {
  const int = (max: number, min = -1) => fc.integer({ min, max });
  const partition = fc.record({ topic: fc.constantFrom('a', 'b', 'ä-1'), partition: int(1000, 0) });
  const any: fc.Arbitrary<TransactionMetadata> = fc.record({
    transactionalId: fc.constant('t-1'),
    producerId: fc.maxSafeNat(),
    previousProducerId: int(9),
    nextProducerId: int(9),
    producerEpoch: int(32767, 0),
    lastProducerEpoch: int(32767),
    timeoutMs: int(2147483647, 1),
    state: fc.constantFrom('Ongoing', 'PrepareAbort', 'CompleteCommit'),
    partitions: fc.array(partition).map(partitionSet),
    startTimeMs: fc.maxSafeNat(),
    lastUpdateMs: fc.maxSafeNat(),
    clientTransactionVersion: fc.constantFrom(0, 2),
  });
  fc.assert(
    fc.property(any, (value) => {
      expect(decoded(encodeValue(value, { level: 1 }))).toEqual({ kind: 'metadata', metadata: value });
    }),
    { seed: 9, numRuns: 200 },
  );
});

test('txn T-9: a writer of another kind reads the key', () => {
  expect(Buffer.concat(new Writer(false).int16(0).string('ü').finish())).toEqual(encodeKey('ü'));
});
