// How a replica begins to follow: where it fetches from, and which epoch it says its log ends in (repl R-72, T-6). Decides only.
import type { LeaderEpoch, Offset } from '../base/units.ts';
import { NO_EPOCH } from '../base/units.ts';
import type { Safeguard } from '../fault/safeguards.ts';

interface Log {
  readonly highWatermark: Offset;
  readonly logEndOffset: Offset;
  readonly latestEpoch: LeaderEpoch | undefined;
}
interface Switches {
  safeguard(name: Safeguard): boolean;
}

/** The log is cut first only if it has no epochs to compare by, or if that protection is off. */
export function followStart(log: Log, switches: Switches): { readonly isCut: boolean; readonly offset: Offset } {
  const isCut = epochToCompare(log, switches) === NO_EPOCH;
  return { isCut, offset: isCut ? log.highWatermark : log.logEndOffset };
}

/** The epoch of the end of the log; -1 if there is none, or none is sent (the safeguard trunc.leaderEpoch is off). */
export function epochToCompare(log: Log, switches: Switches): LeaderEpoch {
  return switches.safeguard('trunc.leaderEpoch') ? (log.latestEpoch ?? NO_EPOCH) : NO_EPOCH;
}
