// Where a follower cuts its log when its leader says that the two diverge (repl R-73). Arithmetic only.
import type { LeaderEpoch, Offset } from '../base/units.ts';
import type { EpochEndOffset } from '../log/api.ts';

/** What the rule needs of the follower's own log. */
export interface EpochEnds {
  readonly logEndOffset: Offset;
  endOffsetForEpoch(epoch: LeaderEpoch): EpochEndOffset | undefined;
}

/**
 * The offset to cut to, given the leader's epoch and end offset for the epoch asked about. If the follower's own floor
 * is an older epoch, the cut is only as deep as that one proves, and the next fetch diverges again (repl R-78).
 */
export function truncationOffset(log: EpochEnds, diverging: EpochEndOffset): Offset {
  const own = log.endOffsetForEpoch(diverging.epoch);
  if (own === undefined) return Math.min(diverging.endOffset, log.logEndOffset);
  if (own.epoch === diverging.epoch) return Math.min(own.endOffset, diverging.endOffset, log.logEndOffset);
  return Math.min(own.endOffset, log.logEndOffset);
}
