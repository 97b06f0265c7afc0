// The log of a MemoryBroker: batches in an array, checked as wire section 6.3 says as far as one replica can.
import { readBatchHeader, type BatchHeader } from '../../src/protocol/batch-header.ts';
import type { ErrorName } from '../../src/protocol/errors.ts';
import { isControl } from '../../src/log/attributes.ts';
import { decodeBatch, frameProblem, hasValidCrc, type LogRecord } from '../../src/log/decode-batch.ts';
import { unpackProduce } from '../../src/log/unpack-produce.ts';

const BATCH_MAX_BYTES = 1_048_588;

export class MemoryLog {
  highWatermark = 0;
  logEndOffset = 0;
  /** Stored batches with their final offsets. */
  readonly batches: Buffer[] = [];

  /** The base offset given, or why nothing was appended. */
  append(records: Buffer, zstdAllowed: boolean): number | ErrorName {
    const unpacked = unpackProduce(records, { zstdAllowed });
    if (unpacked.error !== undefined) return unpacked.error;
    const batch = Buffer.from(unpacked.batch);
    const header = readBatchHeader(batch);
    if (header === undefined) return 'CORRUPT_MESSAGE';
    const refused = refusal(batch, header);
    if (refused !== undefined) return refused;
    const baseOffset = this.logEndOffset;
    batch.writeBigInt64BE(BigInt(baseOffset), 0);
    batch.writeInt32BE(0, 12);
    this.batches.push(batch);
    this.logEndOffset += header.recordCount;
    return baseOffset;
  }

  /** Whole batches below the high watermark, from the one that holds `offset`. */
  read(offset: number, maxBytes: number, atLeastOne: boolean): Buffer {
    const found: Buffer[] = [];
    let sizeBytes = 0;
    for (const batch of this.batches) {
      const { lastOffset } = readBatchHeader(batch)!;
      if (lastOffset < offset) continue;
      const fits = sizeBytes + batch.length <= maxBytes || (atLeastOne && found.length === 0);
      if (lastOffset >= this.highWatermark || !fits) break;
      found.push(batch);
      sizeBytes += batch.length;
    }
    return Buffer.concat(found);
  }

  /** As ListOffsets asks: -1 latest, -2 earliest, -3 the largest timestamp, else the first at or after. */
  find(timestamp: number): { offset: number; timestamp: number } | undefined {
    if (timestamp === -1) return { offset: this.highWatermark, timestamp: -1 };
    if (timestamp === -2) return { offset: 0, timestamp: -1 };
    const records = this.records();
    if (timestamp !== -3) return records.find((record) => record.timestamp >= timestamp);
    const largest = Math.max(...records.map((record) => record.timestamp));
    return records.find((record) => record.timestamp === largest);
  }

  /** All records of uncompressed batches below the high watermark. */
  records(): LogRecord[] {
    return this.batches
      .flatMap((batch) => {
        const decoded = decodeBatch(batch);
        return decoded.kind === 'records' ? decoded.records : [];
      })
      .filter(({ offset }) => offset < this.highWatermark);
  }
}

function refusal(batch: Buffer, header: BatchHeader): ErrorName | undefined {
  if (header.baseOffset !== 0) return 'INVALID_RECORD';
  if (batch.length > BATCH_MAX_BYTES) return 'MESSAGE_TOO_LARGE';
  if (batch.length < 61 || !hasValidCrc(batch, header)) return 'CORRUPT_MESSAGE';
  const count = header.lastOffset + 1;
  if (count <= 0 || header.recordCount !== count || isControl(header.attributes)) return 'INVALID_RECORD';
  return frameProblem(batch, header, 0) === undefined && decodeBatch(batch).kind !== 'malformed'
    ? undefined
    : 'INVALID_RECORD';
}
