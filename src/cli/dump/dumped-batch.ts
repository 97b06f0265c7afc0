// What `log dump` shows of stored bytes: batches and their records, whatever their state. Nothing is repaired or left out;
// bytes that are no batch say so. Values only, no text: see dump-lines.ts.
import type { EpochMs, Offset } from '../../base/units.ts';
import { codecNumber, CODECS, isControl, isLogAppendTime, isTransactional } from '../../log/attributes.ts';
import { decodeBatch, hasValidCrc, type LogRecord } from '../../log/decode-batch.ts';
import { NO_SEQUENCE, sequenceAfter } from '../../log/producer-entry.ts';
import { batchHeaders, type BatchHeader } from '../../protocol/batch-header.ts';
import { decodeInternal, type DecodedInternal } from './internal-records.ts';

/** A record, with its key and payload as text or as what they mean. */
export interface DumpedRecord {
  readonly offset: Offset;
  readonly timestamp: EpochMs;
  /** Bytes; -1: null. */
  readonly keySize: number;
  readonly valueSize: number;
  readonly sequence: number;
  readonly headerKeys: readonly string[];
  /** Of a transaction marker. */
  readonly marker?: { readonly type: string; readonly coordinatorEpoch: number };
  /** Key and payload as text; null: there is none. Left out unless asked for. */
  readonly key?: string | null;
  readonly payload?: string | null;
  /** What a record of an internal topic says. */
  readonly decoded?: DecodedInternal;
}

export interface DumpedBatch {
  readonly header: BatchHeader;
  /** Bytes before it, from where the dump began. */
  readonly position: number;
  readonly lastSequence: number;
  readonly isTransactional: boolean;
  readonly isControl: boolean;
  readonly timestampType: 'CreateTime' | 'LogAppendTime';
  readonly compression: string;
  /** The CRC is that of the bytes. */
  readonly isValid: boolean;
  readonly records: readonly DumpedRecord[];
  /** Why records are missing. */
  readonly unread?: string;
}

export interface DumpOptions {
  readonly topic: string;
  /** Keys and payloads of user topics too. */
  readonly printData: boolean;
  /** Where these bytes begin. */
  readonly position: number;
}

/** The batches in `buffer`, and how many bytes at its end are none. */
export function dumpBatches(
  buffer: Buffer,
  options: DumpOptions,
): { readonly batches: readonly DumpedBatch[]; readonly trailingBytes: number } {
  const batches: DumpedBatch[] = [];
  let end = 0;
  for (const { at, ...header } of batchHeaders(buffer)) {
    batches.push(dumpBatch(buffer, at, header, options));
    end = at + header.sizeBytes;
  }
  return { batches, trailingBytes: buffer.length - end };
}

function dumpBatch(buffer: Buffer, at: number, header: BatchHeader, options: DumpOptions): DumpedBatch {
  const { attributes, baseSequence, lastOffset, baseOffset } = header;
  const batch = {
    ...{ header, position: options.position + at, lastSequence: sequenceAt(baseSequence, lastOffset - baseOffset) },
    ...{ isTransactional: isTransactional(attributes), isControl: isControl(attributes) },
    timestampType: isLogAppendTime(attributes) ? 'LogAppendTime' : 'CreateTime',
    compression: CODECS[codecNumber(attributes)] ?? `unknown(${codecNumber(attributes)})`,
    isValid: hasValidCrc(buffer, header, at),
  } as const;
  const decoded = decodeBatch(buffer, at);
  if (decoded.kind === 'malformed') return { ...batch, records: [], unread: decoded.reason };
  if (decoded.kind === 'compressed') {
    const { recordCount } = header;
    const unread = `${recordCount} record${recordCount === 1 ? '' : 's'} compressed with ${batch.compression}: not read`;
    return { ...batch, records: [], unread };
  }
  return { ...batch, records: decoded.records.map((record) => dumpRecord(record, header, options)) };
}

/** As Kafka counts them: a batch without a sequence gives none to its records. */
function sequenceAt(baseSequence: number, delta: number): number {
  return baseSequence < 0 ? NO_SEQUENCE : sequenceAfter(baseSequence, delta);
}

function dumpRecord(record: LogRecord, header: BatchHeader, { topic, printData }: DumpOptions): DumpedRecord {
  const { offset, timestamp, key, value } = record;
  const shown = {
    ...{ offset, timestamp, keySize: key?.length ?? -1, valueSize: value?.length ?? -1 },
    sequence: sequenceAt(header.baseSequence, offset - header.baseOffset),
    headerKeys: record.headers.map((each) => each.key),
  };
  if (isControl(header.attributes)) return { ...shown, marker: markerOf(key, value) };
  const decoded = decodeInternal(topic, key, value);
  if (decoded !== undefined) return { ...shown, decoded };
  if (!printData) return shown;
  return { ...shown, key: key?.toString('utf8') ?? null, payload: value?.toString('utf8') ?? null };
}

const MARKERS = ['ABORT', 'COMMIT'];

/** Control records of other types have numbers alone (txn T-115). */
function markerOf(key: Buffer | null, value: Buffer | null): NonNullable<DumpedRecord['marker']> {
  const type = key === null || key.length < 4 ? -1 : key.readInt16BE(2);
  const coordinatorEpoch = value === null || value.length < 6 ? -1 : value.readInt32BE(2);
  return { type: MARKERS[type] ?? `UNKNOWN(${type})`, coordinatorEpoch };
}
