// Which whole segments of a log are too old or too much (repl R-19). Only says where the log would start; raising the start
// deletes them.
import type { DurationMs, EpochMs, Offset } from '../base/units.ts';
import type { RetentionLimits } from './api.ts';
import type { BatchIndex } from './batch-index.ts';
import type { LogState } from './log-state.ts';

interface Segment {
  readonly endOffset: Offset;
  readonly sizeBytes: number;
  /** -1: none of its batches has one. */
  readonly largestTimestamp: EpochMs;
}

/**
 * Where the log starts once retention is done with it: at the first segment that is neither older than retention.ms nor
 * beyond retention.bytes, counted from the end. What may not be deleted yet stays, and so does what has no timestamp, as far
 * as its age goes.
 */
export function retainedFrom(
  state: LogState,
  index: BatchIndex,
  view: { readonly deletableTo: Offset; readonly now: EpochMs; readonly limits: RetentionLimits },
): Offset {
  const { retentionMs, retentionBytes } = view.limits;
  let start = state.logStartOffset;
  let excessBytes = retentionBytes < 0 ? -1 : index.sizeBetween(0, index.length) - retentionBytes;
  for (const segment of segments(state, index)) {
    if (segment.sizeBytes === 0) continue;
    const goes = isTooOld(segment, view.now, retentionMs) || excessBytes >= segment.sizeBytes;
    if (!goes || segment.endOffset > view.deletableTo) break;
    start = segment.endOffset;
    excessBytes -= segment.sizeBytes;
  }
  return start;
}

function isTooOld({ largestTimestamp }: Segment, now: EpochMs, retentionMs: DurationMs): boolean {
  return retentionMs >= 0 && largestTimestamp >= 0 && now - largestTimestamp > retentionMs;
}

/** The segments as far as they are looked at, the active one included. */
function* segments({ segments: bases, endOffset }: LogState, index: BatchIndex): Generator<Segment> {
  for (let i = 0; i < bases.length; i++) {
    const end = bases[i + 1] ?? endOffset;
    const [first, next] = [index.find(bases[i]!), index.find(end)];
    let largestTimestamp = -1;
    for (let place = first; place < next; place++) {
      largestTimestamp = Math.max(largestTimestamp, index.at(place)!.maxTimestamp);
    }
    yield { endOffset: end, sizeBytes: index.sizeBetween(first, next), largestTimestamp };
  }
}
