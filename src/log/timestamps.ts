// Finding offsets by timestamp (repl R-37): exact in uncompressed batches; in compressed ones the batch is the answer,
// with the header's maximum (wire W-98).
import type { EpochMs, Offset } from '../base/units.ts';
import type { TimestampHit } from './api.ts';
import { isCompressed, isLogAppendTime } from './attributes.ts';
import type { BatchIndex } from './batch-index.ts';
import { timestampOf } from './decode-batch.ts';
import { RecordCursor } from './record-cursor.ts';
import { BATCH_HEADER_BYTES, readBatchHeader } from '../protocol/batch-header.ts';

/** A log as a search sees it. */
export interface Searchable {
  readonly index: BatchIndex;
  /** Records below are not part of the log. */
  readonly logStartOffset: Offset;
  bytesAt(place: number): Buffer;
}

/** The first record, by offset, whose timestamp is at or after `timestamp`. */
export function firstAtOrAfter(log: Searchable, timestamp: EpochMs): TimestampHit | undefined {
  for (let place = 0; place < log.index.length; place++) {
    if (log.index.at(place)!.maxTimestamp < timestamp) continue;
    const hit = firstInBatch(log, place, timestamp);
    if (hit !== undefined) return hit;
  }
  return undefined;
}

/** The first of the records with the largest timestamp; undefined if no record has a timestamp. */
export function largest(log: Searchable): TimestampHit | undefined {
  let best: number | undefined;
  let timestamp = -1;
  log.index.entries().forEach(({ maxTimestamp }, place) => {
    if (maxTimestamp > timestamp) [best, timestamp] = [place, maxTimestamp];
  });
  return best === undefined ? undefined : firstInBatch(log, best, timestamp);
}

function firstInBatch(log: Searchable, place: number, timestamp: EpochMs): TimestampHit | undefined {
  const bytes = log.bytesAt(place);
  const header = readBatchHeader(bytes)!;
  const hit = (offset: Offset, at: EpochMs) => ({ timestamp: at, offset, leaderEpoch: header.leaderEpoch });
  if (isCompressed(header.attributes) || isLogAppendTime(header.attributes)) {
    return hit(Math.max(header.baseOffset, log.logStartOffset), header.maxTimestamp);
  }
  const cursor = new RecordCursor(bytes, BATCH_HEADER_BYTES, bytes.length);
  while (cursor.next()) {
    const offset = header.baseOffset + cursor.offsetDelta;
    const at = timestampOf(header, cursor.timestampDelta);
    if (at >= timestamp && offset >= log.logStartOffset) return hit(offset, at);
  }
  return undefined;
}
