// A batch without some of its records (txn T-114): offsets, timestamps, sequences and the producer stay what they were, so that
// readers and producer state see a gap and nothing else. Bytes in, bytes out; which records stay is the caller's.
import { crc32c } from '../base/crc32c.ts';
import { BATCH_HEADER_BYTES, readBatchHeader } from '../protocol/batch-header.ts';
import { codecNumber, isLogAppendTime } from './attributes.ts';
import { timestampOf } from './decode-batch.ts';
import { RecordCursor } from './record-cursor.ts';
import type { Span } from './record-cursor.ts';

/** One record of a batch, as far as cleaning looks at it. */
export interface Candidate {
  readonly offset: number;
  readonly key: Span;
  readonly value: Span;
}

/** The batch with those records that `keep` answers true for; undefined if it is all of them. Not for compressed ones. */
export function retainRecords(batch: Buffer, keep: (record: Candidate) => boolean): Buffer | undefined {
  const header = readBatchHeader(batch)!;
  const cursor = new RecordCursor(batch, BATCH_HEADER_BYTES, batch.length);
  const kept: Buffer[] = [];
  let maxTimestamp = -1;
  let from = BATCH_HEADER_BYTES;
  while (cursor.next()) {
    const { key, value, at } = cursor;
    if (keep({ offset: header.baseOffset + cursor.offsetDelta, key, value })) {
      kept.push(batch.subarray(from, at));
      maxTimestamp = Math.max(maxTimestamp, timestampOf(header, cursor.timestampDelta));
    }
    from = at;
  }
  // What cannot be read is not judged.
  if (cursor.malformed !== undefined || kept.length === header.recordCount) return undefined;
  if (kept.length === 0) return emptied(batch);
  const keepsMaximum = isLogAppendTime(header.attributes);
  return finish(batch, kept, keepsMaximum ? header.maxTimestamp : maxTimestamp);
}

/** The batch with no record at all: it says what its producer did last (txn T-114). */
export function emptied(batch: Buffer): Buffer {
  const { attributes, maxTimestamp } = readBatchHeader(batch)!;
  const empty = finish(batch, [], maxTimestamp);
  if (codecNumber(attributes) === 0) return empty;
  empty.writeInt16BE(attributes & ~codecNumber(attributes), 21);
  empty.writeUInt32BE(crc32c(empty, 21), 17);
  return empty;
}

function finish(batch: Buffer, records: readonly Buffer[], maxTimestamp: number): Buffer {
  const rewritten = Buffer.concat([batch.subarray(0, BATCH_HEADER_BYTES), ...records]);
  rewritten.writeInt32BE(rewritten.length - BATCH_PREFIX, 8);
  rewritten.writeBigInt64BE(BigInt(maxTimestamp), 35);
  rewritten.writeInt32BE(records.length, 57);
  rewritten.writeUInt32BE(crc32c(rewritten, 21), 17);
  return rewritten;
}

/** Base offset and length itself are not counted by the length. */
const BATCH_PREFIX = 12;
