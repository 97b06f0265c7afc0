// Polls and positions as checkers see them.
import type { LeaderEpoch, Offset } from '../base/units.ts';
import type { PollOp, PositionOp, SeenRecord } from '../history/operations.ts';

/** A poll that was answered. */
export interface Poll {
  readonly index: number;
  readonly reader: string;
  readonly partition: string;
  readonly from: Offset;
  readonly to: Offset;
  readonly records: readonly SeenRecord[];
  readonly isolation: PollOp['isolation'] | undefined;
  /** It was read as a member of this group. */
  readonly group: string | undefined;
  /** As the leader of that epoch told; undefined if nobody wrote it down. */
  readonly highWatermark?: Offset | undefined;
  readonly leaderEpoch?: LeaderEpoch | undefined;
}

/** What one reader did in one partition, in order. */
export interface Reading {
  readonly reader: string;
  readonly partition: string;
  readonly steps: readonly (Poll | PositionOp)[];
  /** Index of the last poll that told it why it cannot read on; -1: none. */
  readonly toldAt: number;
}

export function isPoll(step: Poll | PositionOp): step is Poll {
  return 'records' in step;
}

/** Whether a reader is to be given only what is committed. */
export function isCommittedOnly({ steps }: Reading): boolean {
  return steps.some((step) => isPoll(step) && step.isolation === 'read_committed');
}
