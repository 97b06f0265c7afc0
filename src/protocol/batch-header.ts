// Reads the header of record batches v2 (repl R-2, wire section 6.1) without touching records. Validation is src/log's.

/** Bytes before the records. */
export const BATCH_HEADER_BYTES = 61;
/** Bytes of base offset and length, which the length field does not count. */
export const BATCH_PREFIX_BYTES = 12;

/** The header fields of one batch, and where it stands in its buffer. */
export interface BatchHeader {
  readonly baseOffset: number;
  /** Bytes of the whole batch, prefix included. */
  readonly sizeBytes: number;
  readonly leaderEpoch: number;
  readonly magic: number;
  readonly crc: number;
  readonly attributes: number;
  readonly lastOffset: number;
  readonly baseTimestamp: number;
  readonly maxTimestamp: number;
  readonly producerId: number;
  readonly producerEpoch: number;
  readonly baseSequence: number;
  readonly recordCount: number;
}

/** The header of the batch at `at`, or undefined if fewer bytes than a header are left. Trusts nothing but length. */
export function readBatchHeader(buffer: Buffer, at = 0): BatchHeader | undefined {
  if (buffer.length - at < BATCH_HEADER_BYTES) return undefined;
  const baseOffset = readInt64(buffer, at);
  return {
    baseOffset,
    sizeBytes: buffer.readInt32BE(at + 8) + BATCH_PREFIX_BYTES,
    leaderEpoch: buffer.readInt32BE(at + 12),
    magic: buffer.readInt8(at + 16),
    crc: buffer.readUInt32BE(at + 17),
    attributes: buffer.readInt16BE(at + 21),
    lastOffset: baseOffset + buffer.readInt32BE(at + 23),
    baseTimestamp: readInt64(buffer, at + 27),
    maxTimestamp: readInt64(buffer, at + 35),
    producerId: readInt64(buffer, at + 43),
    producerEpoch: buffer.readInt16BE(at + 51),
    baseSequence: buffer.readInt32BE(at + 53),
    recordCount: buffer.readInt32BE(at + 57),
  };
}

/** Rounded beyond 2^53, as Number(bigint) is, without making a bigint: this runs several times a batch. */
function readInt64(buffer: Buffer, at: number): number {
  return buffer.readInt32BE(at) * 0x1_0000_0000 + buffer.readUInt32BE(at + 4);
}

/** The offset behind the last whole batch in `buffer`; undefined if there is none. */
export function endOfBatches(buffer: Buffer): number | undefined {
  let end: number | undefined;
  for (let at = 0; ;) {
    const header = readBatchHeader(buffer, at);
    if (header === undefined || !isWhole(header, buffer, at)) return end;
    end = header.lastOffset + 1;
    at += header.sizeBytes;
  }
}

function isWhole({ sizeBytes }: BatchHeader, buffer: Buffer, at: number): boolean {
  return sizeBytes >= BATCH_HEADER_BYTES && at + sizeBytes <= buffer.length;
}

/** Headers of the whole batches in `buffer`, front to back; stops before an incomplete or nonsensical one. */
export function* batchHeaders(buffer: Buffer): Generator<BatchHeader & { readonly at: number }> {
  let at = 0;
  for (;;) {
    const header = readBatchHeader(buffer, at);
    if (header === undefined || !isWhole(header, buffer, at)) return;
    yield { at, ...header };
    at += header.sizeBytes;
  }
}
