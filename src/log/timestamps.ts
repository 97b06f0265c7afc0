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
    for (const hit of hits(log, place)) if (hit.timestamp >= timestamp) return hit;
  }
  return undefined;
}

/** The first of the records with the largest timestamp; undefined if no record has a timestamp. */
export function largest(log: Searchable): TimestampHit | undefined {
  let best: TimestampHit | undefined;
  log.index.entries().forEach(({ maxTimestamp }, place) => {
    // The header's maximum may belong to a record below the log start, so the records have the last word.
    if (maxTimestamp <= (best?.timestamp ?? NO_TIMESTAMP)) return;
    for (const hit of hits(log, place)) if (hit.timestamp > (best?.timestamp ?? NO_TIMESTAMP)) best = hit;
  });
  return best;
}

const NO_TIMESTAMP = -1;

/** What can be found in one batch, front to back: its records, or the batch as a whole. */
function* hits(log: Searchable, place: number): Generator<TimestampHit> {
  const bytes = log.bytesAt(place);
  const header = readBatchHeader(bytes)!;
  const { leaderEpoch } = header;
  if (isCompressed(header.attributes) || isLogAppendTime(header.attributes)) {
    yield { timestamp: header.maxTimestamp, offset: Math.max(header.baseOffset, log.logStartOffset), leaderEpoch };
    return;
  }
  const cursor = new RecordCursor(bytes, BATCH_HEADER_BYTES, bytes.length);
  while (cursor.next()) {
    const offset: Offset = header.baseOffset + cursor.offsetDelta;
    if (offset < log.logStartOffset) continue;
    yield { timestamp: timestampOf(header, cursor.timestampDelta), offset, leaderEpoch };
  }
}
