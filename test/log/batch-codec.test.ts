// Record batches v2: the vectors of wire W-94 both ways, opaque compressed batches, hostile bytes.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { crc32c } from '../../src/base/crc32c.ts';
import { decodeMarker, encodeMarker } from '../../src/log/control-batch.ts';
import { decodeBatch } from '../../src/log/decode-batch.ts';
import { encodeBatch, encodeOpaqueBatch, sizeOfRecord } from '../../src/log/encode-batch.ts';
import type { RecordData } from '../../src/log/encode-batch.ts';

const TWO_RECORDS =
  '000000000000000000000049ffffffff026a8990a30000000000010000018bcfe568000000018bcfe56805' +
  'ffffffffffffffffffffffffffff0000000214000000046b310476310018000a02010476320202680278';
const COMMIT_MARKER =
  '000000000000000a000000420000000302150142690030000000000000018bcfe56be80000018bcfe56be8' +
  '0000000000000fa00001ffffffff000000012000000008000000010c00000000000700';
const T = 1_700_000_000_000;

const RECORDS: readonly RecordData[] = [
  { timestamp: T, key: Buffer.from('k1'), value: Buffer.from('v1') },
  { timestamp: T + 5, key: null, value: Buffer.from('v2'), headers: [{ key: 'h', value: Buffer.from('x') }] },
];

/** The batch with its CRC made right after bytes were changed. */
function resealed(batch: Buffer): Buffer {
  batch.writeUInt32BE(crc32c(batch, 21), 17);
  return batch;
}

describe('repl R-2, wire W-94: test vectors', () => {
  test('two records, written', () => {
    expect(encodeBatch(RECORDS).toString('hex')).toBe(TWO_RECORDS);
  });

  test('two records, read', () => {
    const batch = decodeBatch(Buffer.from(TWO_RECORDS, 'hex'));
    expect(batch).toMatchObject({
      kind: 'records',
      header: { baseOffset: 0, lastOffset: 1, leaderEpoch: -1, maxTimestamp: T + 5, producerId: -1, sizeBytes: 85 },
      records: [
        { offset: 0, timestamp: T, key: Buffer.from('k1'), value: Buffer.from('v1'), headers: [] },
        {
          ...{ offset: 1, timestamp: T + 5, key: null, value: Buffer.from('v2') },
          headers: [{ key: 'h', value: Buffer.from('x') }],
        },
      ],
    });
  });

  test('a commit marker, both ways (wire W-93)', () => {
    const marker = {
      ...({ type: 'commit', producerId: 4000, producerEpoch: 1, coordinatorEpoch: 7 } as const),
      timestamp: T + 1000,
    };
    const bytes = Buffer.from(COMMIT_MARKER, 'hex');
    expect(decodeMarker(bytes)).toEqual(marker);
    expect(encodeMarker(marker, { baseOffset: 10, leaderEpoch: 3 }).toString('hex')).toBe(COMMIT_MARKER);
    expect(decodeMarker(Buffer.from(TWO_RECORDS, 'hex'))).toBeUndefined();
  });
});

const text = fc.string({ maxLength: 40 });
const bytesOrNull = fc.option(
  text.map((value) => Buffer.from(value)),
  { nil: null },
);
const record: fc.Arbitrary<RecordData> = fc.record({
  timestamp: fc.integer({ min: 0, max: 2 * T }),
  key: bytesOrNull,
  value: bytesOrNull,
  headers: fc.array(fc.record({ key: text, value: bytesOrNull }), { maxLength: 3 }),
});

test('wire W-91, W-92: what is written is read back, at any place of a buffer', () => {
  fc.assert(
    fc.property(fc.array(record, { minLength: 1, maxLength: 20 }), fc.nat(5000), (records, baseOffset) => {
      const batch = encodeBatch(records, { baseOffset, leaderEpoch: 3, producerId: 9, baseSequence: 4 });
      const read = decodeBatch(Buffer.concat([Buffer.alloc(7), batch, Buffer.alloc(3)]), 7);
      if (read.kind !== 'records') throw new Error(JSON.stringify(read));
      expect(read.records.map(({ offset }) => offset)).toEqual(records.map((_, i) => baseOffset + i));
      expect(read.records.map(({ timestamp, key, value, headers }) => ({ timestamp, key, value, headers }))).toEqual(
        records,
      );
      expect(read.header.maxTimestamp).toBe(Math.max(...records.map(({ timestamp }) => timestamp)));
      const sizes = records.map((each, i) => sizeOfRecord(each, i, each.timestamp - records[0]!.timestamp));
      expect(61 + sizes.reduce((a, b) => a + b)).toBe(batch.length);
    }),
    { seed: 94, numRuns: 200 },
  );
});

test('wire W-98: a compressed batch stays opaque', () => {
  const body = Buffer.from('not really gzip');
  const batch = encodeOpaqueBatch(
    { codec: 'gzip', body, recordCount: 3, baseTimestamp: T, maxTimestamp: T + 9 },
    { baseOffset: 40 },
  );
  expect(decodeBatch(batch)).toMatchObject({
    ...{ kind: 'compressed', codec: 1 },
    header: { baseOffset: 40, lastOffset: 42, recordCount: 3, maxTimestamp: T + 9 },
  });
});

describe('hostile bytes get a reason, never an exception', () => {
  const reasonOf = (batch: Buffer): string => {
    const decoded = decodeBatch(batch);
    return decoded.kind === 'malformed' ? decoded.reason : decoded.kind;
  };
  const changed = (change: (batch: Buffer) => void): Buffer => {
    const batch = encodeBatch(RECORDS);
    change(batch);
    return resealed(batch);
  };

  test.each<[string, Buffer, RegExp]>([
    ['shorter than a header', Buffer.alloc(60), /cut short/],
    ['cut in the records', encodeBatch(RECORDS).subarray(0, 80), /cut short/],
    ['of old magic', changed((batch) => batch.writeInt8(1, 16)), /magic 1/],
    ['with a length below a header', changed((batch) => batch.writeInt32BE(20, 8)), /32 bytes long/],
    ['with a negative last offset', changed((batch) => batch.writeInt32BE(-2, 23)), /claims offsets/],
    ['with more records than it says', changed((batch) => batch.writeInt32BE(1, 57)), /says 1 records and holds 2/],
    ['with fewer records than it says', changed((batch) => batch.writeInt32BE(3, 57)), /says 3 records and holds 2/],
    ['with a record that outgrows it', changed((batch) => batch.writeUInt8(0x7e, 61)), /longer than what is left/],
    ['with a negative record length', changed((batch) => batch.writeUInt8(0x01, 61)), /no valid length/],
    ['with a key that outgrows its record', changed((batch) => batch.writeUInt8(0x40, 65)), /field that is longer/],
    ['with a null length below -1', changed((batch) => batch.writeUInt8(0x03, 65)), /field that is longer/],
    ['with more headers than fit', changed((batch) => batch.writeUInt8(0x7e, 71)), /number of headers/],
  ])('a batch %s', (_what, batch, reason) => {
    expect(reasonOf(batch)).toMatch(reason);
  });

  test('repl R-3: any flipped bit from the attributes on breaks the CRC', () => {
    const batch = encodeBatch(RECORDS);
    for (let bit = 21 * 8; bit < batch.length * 8; bit++) {
      const damaged = Buffer.from(batch);
      damaged[bit >> 3]! ^= 1 << (bit & 7);
      expect(reasonOf(damaged)).toMatch(/CRC|claims offsets/);
    }
  });

  test('repl R-3: base offset and leader epoch lie outside the CRC', () => {
    const batch = encodeBatch(RECORDS);
    batch.writeBigInt64BE(77n, 0);
    batch.writeInt32BE(5, 12);
    expect(decodeBatch(batch)).toMatchObject({ kind: 'records', header: { baseOffset: 77, leaderEpoch: 5 } });
  });

  test('random records behind a valid header and CRC', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(5), (bytes, count) => {
        const batch = encodeOpaqueBatch({
          ...{ codec: 'none', body: Buffer.from(bytes), recordCount: count + 1 },
          ...{ baseTimestamp: T, maxTimestamp: T },
        });
        const decoded = decodeBatch(batch);
        expect(['records', 'malformed']).toContain(decoded.kind);
      }),
      { seed: 98, numRuns: 2000 },
    );
  });
});
