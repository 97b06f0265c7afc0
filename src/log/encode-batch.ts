// Builds record batches v2 (repl R-2, wire 6.1): for clients, coordinators and tests. Broker-side stamping is in
// stamp-batch.ts. Compression is not done here: an opaque body can be wrapped.
import { assert } from '../base/assert.ts';
import { crc32c } from '../base/crc32c.ts';
import type { EpochMs, LeaderEpoch, Offset } from '../base/units.ts';
import { sizeOfVarint, writeVarint } from '../base/varint.ts';
import { BATCH_HEADER_BYTES, BATCH_PREFIX_BYTES } from '../protocol/batch-header.ts';
import { CODECS } from './attributes.ts';
import type { Codec } from './attributes.ts';

export interface RecordHeader {
  readonly key: string;
  readonly value: Buffer | null;
}

/** What a producer says. */
export interface RecordData {
  readonly timestamp: EpochMs;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers?: readonly RecordHeader[];
}

/** Header fields beside those that follow from the records. All default to what a plain producer sends. */
export interface BatchFields {
  readonly baseOffset?: Offset;
  readonly leaderEpoch?: LeaderEpoch;
  /** Attribute bits without the codec, see attributes.ts. */
  readonly attributes?: number;
  readonly producerId?: number;
  readonly producerEpoch?: number;
  readonly baseSequence?: number;
}

/** Records compressed by somebody else. */
export interface OpaqueRecords {
  readonly codec: Codec;
  readonly body: Buffer;
  readonly recordCount: number;
  readonly baseTimestamp: EpochMs;
  readonly maxTimestamp: EpochMs;
}

type Counted = Pick<OpaqueRecords, 'recordCount' | 'baseTimestamp' | 'maxTimestamp'>;

/**
 * One batch with these records (at least one), uncompressed. Record i gets offset delta i; the base timestamp is the
 * first record's. CRC included.
 */
export function encodeBatch(records: readonly RecordData[], fields: BatchFields = {}): Buffer {
  const first = records[0];
  assert(first !== undefined, 'repl R-4: a batch has at least one record');
  const baseTimestamp = first.timestamp;
  let sizeBytes = BATCH_HEADER_BYTES;
  let maxTimestamp = baseTimestamp;
  records.forEach((record, i) => {
    sizeBytes += sizeOfRecord(record, i, record.timestamp - baseTimestamp);
    maxTimestamp = Math.max(maxTimestamp, record.timestamp);
  });
  const batch = Buffer.allocUnsafe(sizeBytes);
  let at = BATCH_HEADER_BYTES;
  records.forEach((record, i) => {
    at = writeRecord(batch, at, { record, offsetDelta: i, timestampDelta: record.timestamp - baseTimestamp });
  });
  assert(at === sizeBytes, 'wire W-91: a batch is as long as its records');
  return finish(batch, 0, { recordCount: records.length, baseTimestamp, maxTimestamp }, fields);
}

/** One batch around a compressed body. */
export function encodeOpaqueBatch(records: OpaqueRecords, fields: BatchFields = {}): Buffer {
  const batch = Buffer.allocUnsafe(BATCH_HEADER_BYTES + records.body.length);
  records.body.copy(batch, BATCH_HEADER_BYTES);
  return finish(batch, CODECS.indexOf(records.codec), records, fields);
}

/** Writes the header in front of the records that `batch` already holds. */
function finish(batch: Buffer, codec: number, counted: Counted, fields: BatchFields): Buffer {
  batch.writeBigInt64BE(BigInt(fields.baseOffset ?? 0), 0);
  batch.writeInt32BE(batch.length - BATCH_PREFIX_BYTES, 8);
  batch.writeInt32BE(fields.leaderEpoch ?? -1, 12);
  batch.writeInt8(2, 16);
  batch.writeInt16BE((fields.attributes ?? 0) | codec, 21);
  batch.writeInt32BE(counted.recordCount - 1, 23);
  batch.writeBigInt64BE(BigInt(counted.baseTimestamp), 27);
  batch.writeBigInt64BE(BigInt(counted.maxTimestamp), 35);
  batch.writeBigInt64BE(BigInt(fields.producerId ?? -1), 43);
  batch.writeInt16BE(fields.producerEpoch ?? -1, 51);
  batch.writeInt32BE(fields.baseSequence ?? -1, 53);
  batch.writeInt32BE(counted.recordCount, 57);
  batch.writeUInt32BE(crc32c(batch, 21), 17);
  return batch;
}

/** Bytes of one record in a batch, its length prefix included: what an accumulator must reckon with. */
export function sizeOfRecord(record: RecordData, offsetDelta: number, timestampDelta: number): number {
  const body = sizeOfBody(record, offsetDelta, timestampDelta);
  return sizeOfVarint(body) + body;
}

function sizeOfBody(record: RecordData, offsetDelta: number, timestampDelta: number): number {
  const headers = record.headers ?? [];
  let sizeBytes = 1 + sizeOfVarint(timestampDelta) + sizeOfVarint(offsetDelta);
  sizeBytes += sizeOfBytes(record.key) + sizeOfBytes(record.value) + sizeOfVarint(headers.length);
  for (const header of headers) {
    const keyBytes = Buffer.byteLength(header.key);
    sizeBytes += sizeOfVarint(keyBytes) + keyBytes + sizeOfBytes(header.value);
  }
  return sizeBytes;
}

function sizeOfBytes(bytes: Buffer | null): number {
  return bytes === null ? 1 : sizeOfVarint(bytes.length) + bytes.length;
}

interface PlacedRecord {
  readonly record: RecordData;
  readonly offsetDelta: number;
  readonly timestampDelta: number;
}

function writeRecord(into: Buffer, start: number, { record, offsetDelta, timestampDelta }: PlacedRecord): number {
  const headers = record.headers ?? [];
  let at = writeVarint(into, start, sizeOfBody(record, offsetDelta, timestampDelta));
  into[at++] = 0;
  at = writeVarint(into, at, timestampDelta);
  at = writeVarint(into, at, offsetDelta);
  at = writeBytes(into, at, record.key);
  at = writeBytes(into, at, record.value);
  at = writeVarint(into, at, headers.length);
  for (const header of headers) {
    at = writeBytes(into, at, Buffer.from(header.key));
    at = writeBytes(into, at, header.value);
  }
  return at;
}

function writeBytes(into: Buffer, start: number, bytes: Buffer | null): number {
  if (bytes === null) return writeVarint(into, start, -1);
  const at = writeVarint(into, start, bytes.length);
  bytes.copy(into, at);
  return at + bytes.length;
}
