// Leader validation of one batch in the order of repl R-4 (b) and (c), details as in wire 6.3. What comes behind R-4
// (e) needs the log and is in partition-log.ts. Compressed batches stay opaque (wire W-98): their keys and record
// count go unchecked, their timestamps are judged by the header.
import type { EpochMs } from '../base/units.ts';
import { BATCH_HEADER_BYTES, readBatchHeader } from '../protocol/batch-header.ts';
import type { BatchHeader } from '../protocol/batch-header.ts';
import type { TopicConfig } from '../protocol/config.ts';
import type { ErrorName } from '../protocol/errors.ts';
import type { AppendRefusal, LeaderAppend } from './api.ts';
import { CODECS, LOG_APPEND_TIME, codecNumber, isCompressed, isControl, isLogAppendTime } from './attributes.ts';
import { hasValidCrc, timestampOf } from './decode-batch.ts';
import { RecordCursor } from './record-cursor.ts';

/** A batch that may be appended, and the timestamp fields it is to be stored with. */
export interface ValidBatch {
  readonly header: BatchHeader;
  readonly attributes: number;
  readonly maxTimestamp: EpochMs;
  /** For the answer: the time stamped on a LogAppendTime topic, else -1. */
  readonly logAppendTimeMs: EpochMs;
}

type RecordError = AppendRefusal['recordErrors'][number] & { readonly error: ErrorName };

/** No timestamp. */
const NONE = -1;

/** A refusal of a whole batch. */
export function refuse(error: ErrorName, message: string): AppendRefusal {
  return { error, message, recordErrors: [] };
}

/** Judges a batch for a leader. Nothing depends on the log. */
export function validateBatch(append: LeaderAppend): ValidBatch | AppendRefusal {
  const { batch, now, config } = append;
  const header = readBatchHeader(batch);
  const refusal = checkEnvelope(append, header) ?? checkHeader(append, header!);
  if (refusal !== undefined) return refusal;
  const found = isCompressed(header!.attributes) ? checkOpaque(append, header!) : checkRecords(append, header!);
  if (typeof found !== 'number') return found;
  if (config['message.timestamp.type'] === 'LogAppendTime') {
    const attributes = header!.attributes | LOG_APPEND_TIME;
    return { header: header!, attributes, maxTimestamp: now, logAppendTimeMs: now };
  }
  const attributes = header!.attributes & ~LOG_APPEND_TIME;
  return { header: header!, attributes, maxTimestamp: found, logAppendTimeMs: NONE };
}

/** Repl R-4 (e), behind the epoch entry (repl R-8). */
export function checkBehindEpoch(append: LeaderAppend): AppendRefusal | undefined {
  const limit = append.config['segment.bytes'];
  if (append.batch.length > limit) {
    return refuse('RECORD_LIST_TOO_LARGE', `the batch has ${append.batch.length} bytes; segment.bytes is ${limit}`);
  }
  return undefined;
}

/** Repl R-4 (b). `header` is undefined if the batch is shorter than one. */
function checkEnvelope(append: LeaderAppend, header: BatchHeader | undefined): AppendRefusal | undefined {
  const { batch, config, origin } = append;
  if (origin === 'client' && batch.length >= 8 && batch.readBigInt64BE(0) !== 0n) {
    return refuse('INVALID_RECORD', `the base offset of a produced batch is 0, not ${batch.readBigInt64BE(0)}`);
  }
  const limit = config['max.message.bytes'];
  if (batch.length > limit) {
    return refuse('MESSAGE_TOO_LARGE', `the batch has ${batch.length} bytes; max.message.bytes is ${limit}`);
  }
  if (header === undefined || header.sizeBytes !== batch.length) {
    return refuse('CORRUPT_MESSAGE', 'the batch is shorter than its header, or not as long as it says');
  }
  if (!hasValidCrc(batch, header)) return refuse('CORRUPT_MESSAGE', 'the CRC of the batch does not match its bytes');
  const codec = codecNumber(header.attributes);
  if (codec >= CODECS.length) return refuse('INVALID_RECORD', `compression codec ${codec} does not exist`);
  return undefined;
}

/** The header's part of repl R-4 (c). Coordinators skip it. */
function checkHeader(append: LeaderAppend, header: BatchHeader): AppendRefusal | undefined {
  if (append.origin === 'coordinator') return undefined;
  const count = header.lastOffset - header.baseOffset + 1;
  if (count <= 0 || header.recordCount <= 0 || count !== header.recordCount) {
    return refuse('INVALID_RECORD', `the batch spans ${count} offsets and says ${header.recordCount} records`);
  }
  if (isControl(header.attributes)) return refuse('INVALID_RECORD', 'clients must not write control batches');
  if (header.producerId >= 0 && header.baseSequence < 0) {
    return refuse('INVALID_RECORD', `a batch with a producer id needs a sequence, not ${header.baseSequence}`);
  }
  if (header.producerId > Number.MAX_SAFE_INTEGER) {
    return refuse('INVALID_RECORD', `producer id ${header.producerId} was given out by nobody`);
  }
  return undefined;
}

/** The records' part of repl R-4 (c). Answers the largest timestamp. */
function checkRecords(append: LeaderAppend, header: BatchHeader): EpochMs | AppendRefusal {
  const { batch, config } = append;
  const keyNeeded = config['cleanup.policy'].includes('compact');
  const cursor = new RecordCursor(batch, BATCH_HEADER_BYTES, batch.length);
  const errors: RecordError[] = [];
  let maxTimestamp = NONE;
  let count = 0;
  for (; cursor.next(); count++) {
    if (cursor.offsetDelta !== count) {
      return refuse('INVALID_RECORD', `record ${count} of the batch has offset delta ${cursor.offsetDelta}`);
    }
    const timestamp = timestampOf(header, cursor.timestampDelta);
    maxTimestamp = Math.max(maxTimestamp, timestamp);
    if (keyNeeded && cursor.key.length < 0) {
      errors.push({ error: 'INVALID_RECORD', batchIndex: count, message: 'a compacted topic needs a key' });
      continue;
    }
    const message = timestampProblem(append, header, timestamp);
    if (message !== undefined) errors.push({ error: 'INVALID_TIMESTAMP', batchIndex: count, message });
  }
  if (cursor.malformed !== undefined) return refuse('INVALID_RECORD', cursor.malformed);
  if (count !== header.recordCount) {
    return refuse('INVALID_RECORD', `the batch says ${header.recordCount} records and holds ${count}`);
  }
  return errors.length === 0 ? maxTimestamp : refuseRecords(errors);
}

/** What can be said of compressed records: the header's timestamps, which we trust. */
function checkOpaque(append: LeaderAppend, header: BatchHeader): EpochMs | AppendRefusal {
  const message =
    timestampProblem(append, header, header.maxTimestamp) ??
    (isLogAppendTime(header.attributes) ? undefined : timestampProblem(append, header, header.baseTimestamp));
  return message === undefined ? header.maxTimestamp : refuse('INVALID_TIMESTAMP', message);
}

/** Why a timestamp is not acceptable on this topic. */
function timestampProblem(append: LeaderAppend, header: BatchHeader, timestamp: EpochMs): string | undefined {
  const { now, config } = append;
  if (config['message.timestamp.type'] === 'LogAppendTime') {
    return isLogAppendTime(header.attributes) ? 'producers must not mark batches LogAppendTime' : undefined;
  }
  if (timestamp === NONE) {
    return isLogAppendTime(header.attributes) ? 'a batch marked LogAppendTime has no timestamp' : undefined;
  }
  return outsideWindow(timestamp, now, config);
}

function outsideWindow(timestamp: EpochMs, now: EpochMs, config: TopicConfig): string | undefined {
  if (!Number.isSafeInteger(timestamp)) return `timestamp ${timestamp} has no exact number here`;
  if (now - timestamp > config['message.timestamp.before.max.ms']) {
    return `timestamp ${timestamp} is more than message.timestamp.before.max.ms before the broker's clock, ${now}`;
  }
  if (timestamp - now > config['message.timestamp.after.max.ms']) {
    return `timestamp ${timestamp} is more than message.timestamp.after.max.ms after the broker's clock, ${now}`;
  }
  return undefined;
}

/** One bad record rejects the batch; one timestamp error makes the answer INVALID_TIMESTAMP. */
function refuseRecords(errors: readonly RecordError[]): AppendRefusal {
  const timestamps = errors.some(({ error }) => error === 'INVALID_TIMESTAMP');
  return {
    error: timestamps ? 'INVALID_TIMESTAMP' : 'INVALID_RECORD',
    message: `${errors.length} of the batch's records were refused; the first: ${errors[0]!.message}`,
    recordErrors: errors.map(({ batchIndex, message }) => ({ batchIndex, message })),
  };
}
