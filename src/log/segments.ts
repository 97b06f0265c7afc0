// Logical segments (repl R-10): where Kafka would begin a new file. Nothing is stored apart; a roll matters because it
// flushes, and because retention removes whole segments.
import type { EpochMs, Offset } from '../base/units.ts';
import type { TopicConfig } from '../protocol/config.ts';
import type { BatchIndex, IndexedBatch } from './batch-index.ts';
import type { LogState } from './log-state.ts';

export type SegmentLimits = Pick<TopicConfig, 'segment.bytes' | 'segment.ms'>;

/** The segment that appends go to. */
export interface ActiveSegment {
  readonly baseOffset: Offset;
  readonly sizeBytes: number;
  /** Largest timestamp of its first batch, -1 if it has none or is empty. */
  readonly firstTimestamp: EpochMs;
  /** When it was made, wall clock. */
  readonly createdAt: EpochMs;
}

/** The active segment as the index shows it. */
export function activeSegment(state: LogState, index: BatchIndex, now: EpochMs): ActiveSegment {
  const baseOffset = state.segments.at(-1)!;
  const first = index.find(baseOffset);
  return {
    baseOffset,
    sizeBytes: index.sizeBetween(first, index.length),
    firstTimestamp: index.at(first)?.maxTimestamp ?? -1,
    createdAt: now,
  };
}

/** Whether a batch goes into a new segment (repl R-10). There is no index file that could be full. */
export function mustRoll(
  active: ActiveSegment,
  batch: Pick<IndexedBatch, 'sizeBytes' | 'lastOffset' | 'maxTimestamp'>,
  limits: SegmentLimits,
  now: EpochMs,
): boolean {
  if (active.sizeBytes === 0) return false;
  const ageMs = active.firstTimestamp >= 0 ? batch.maxTimestamp - active.firstTimestamp : now - active.createdAt;
  return (
    active.sizeBytes + batch.sizeBytes > limits['segment.bytes'] ||
    ageMs > limits['segment.ms'] ||
    batch.lastOffset - active.baseOffset > 0x7fffffff
  );
}
