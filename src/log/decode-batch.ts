// Reads record batches v2 into records (repl R-2, wire 6.1) for consumers, coordinators and tests. Compressed batches
// stay opaque (wire W-98). Bytes may be hostile.
import { crc32c } from '../base/crc32c.ts';
import type { EpochMs, Offset } from '../base/units.ts';
import { BATCH_HEADER_BYTES, readBatchHeader } from '../protocol/batch-header.ts';
import type { BatchHeader } from '../protocol/batch-header.ts';
import { codecNumber, isCompressed, isLogAppendTime } from './attributes.ts';
import type { RecordHeader } from './encode-batch.ts';
import { RecordCursor } from './record-cursor.ts';
import type { Span } from './record-cursor.ts';

/** A record as it stands in a log. Keys and values are views of the bytes decoded: copy what you keep. */
export interface LogRecord {
  readonly offset: Offset;
  /** The time of the append on LogAppendTime batches (wire W-92). */
  readonly timestamp: EpochMs;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  readonly headers: readonly RecordHeader[];
}

export type DecodedBatch =
  | { readonly kind: 'records'; readonly header: BatchHeader; readonly records: readonly LogRecord[] }
  /** Codec 1 to 7; the records are not looked at. */
  | { readonly kind: 'compressed'; readonly header: BatchHeader; readonly codec: number }
  | { readonly kind: 'malformed'; readonly reason: string };

const malformed = (reason: string) => ({ kind: 'malformed', reason }) as const;

/** What is wrong with size, magic or offsets of the batch at `at`; undefined if nothing is. The CRC is not checked. */
export function frameProblem(buffer: Buffer, header: BatchHeader, at: number): string | undefined {
  if (header.sizeBytes < BATCH_HEADER_BYTES) return `the batch claims to be ${header.sizeBytes} bytes long`;
  if (header.sizeBytes > buffer.length - at) return 'the batch is cut short';
  if (header.magic !== 2) return `the batch has magic ${header.magic}, not 2`;
  if (!Number.isSafeInteger(header.lastOffset) || header.baseOffset < 0 || header.lastOffset < header.baseOffset) {
    return `the batch claims offsets ${header.baseOffset} to ${header.lastOffset}`;
  }
  return undefined;
}

/** True if the CRC-32C of the whole batch at `at` is the one it carries (repl R-3). */
export function hasValidCrc(buffer: Buffer, header: BatchHeader, at = 0): boolean {
  return crc32c(buffer, at + 21, at + header.sizeBytes) === header.crc;
}

/** Decodes the batch at `at`. Checks frame, CRC and every record. */
export function decodeBatch(buffer: Buffer, at = 0): DecodedBatch {
  const header = readBatchHeader(buffer, at);
  if (header === undefined) return malformed('the batch is cut short');
  const problem = frameProblem(buffer, header, at);
  if (problem !== undefined) return malformed(problem);
  if (!hasValidCrc(buffer, header, at)) return malformed('the CRC of the batch does not match its bytes');
  if (isCompressed(header.attributes)) return { kind: 'compressed', header, codec: codecNumber(header.attributes) };
  return decodeRecords(header, buffer, at + BATCH_HEADER_BYTES, at + header.sizeBytes);
}

/** Decodes the records of a compressed batch with this header, whose decompressed body is `body`. */
export function decodeBody(header: BatchHeader, body: Buffer): DecodedBatch {
  return decodeRecords(header, body, 0, body.length);
}

function decodeRecords(header: BatchHeader, buffer: Buffer, start: number, end: number): DecodedBatch {
  const cursor = new RecordCursor(buffer, start, end);
  const records: LogRecord[] = [];
  while (cursor.next()) {
    records.push({
      offset: header.baseOffset + cursor.offsetDelta,
      timestamp: timestampOf(header, cursor.timestampDelta),
      key: bytesOf(buffer, cursor.key),
      value: bytesOf(buffer, cursor.value),
      headers: cursor.headers.map(([key, value]) => ({
        key: buffer.toString('utf8', key.at, key.at + key.length),
        value: bytesOf(buffer, value),
      })),
    });
  }
  if (cursor.malformed !== undefined) return malformed(cursor.malformed);
  if (records.length !== header.recordCount) {
    return malformed(`the batch says ${header.recordCount} records and holds ${records.length}`);
  }
  return { kind: 'records', header, records };
}

/** Timestamp of a record with this delta (wire W-92). */
export function timestampOf(header: BatchHeader, timestampDelta: number): EpochMs {
  return isLogAppendTime(header.attributes) ? header.maxTimestamp : header.baseTimestamp + timestampDelta;
}

function bytesOf(buffer: Buffer, span: Span): Buffer | null {
  return span.length < 0 ? null : buffer.subarray(span.at, span.at + span.length);
}
