// The checks of a fetch against a hosted replica, in Kafka's order (repl R-24 rows 4 to 11, R-26), and the epoch and
// leader check that other reads share. Rows 1 to 3, finding the replica, are replicas.ts's. Decides only.
import type { LeaderEpoch, Offset } from '../base/units.ts';
import { NO_EPOCH } from '../base/units.ts';
import type { Safeguard } from '../fault/safeguards.ts';
import type { EpochEndOffset } from '../log/api.ts';
import type { ErrorName } from '../protocol/errors.ts';

/** A hosted replica as the checks see it. */
export interface FetchTarget {
  readonly leaderEpoch: LeaderEpoch;
  readonly isLeader: boolean;
  readonly log: {
    readonly logStartOffset: Offset;
    readonly logEndOffset: Offset;
    endOffsetForEpoch(epoch: LeaderEpoch): EpochEndOffset | undefined;
  };
}

/** What the asker says of one partition; -1 leaves an epoch out. */
export interface FetchPosition {
  readonly currentLeaderEpoch: LeaderEpoch;
  readonly fetchOffset: Offset;
  readonly lastFetchedEpoch: LeaderEpoch;
}

/** What the leader knows of a follower that asks. */
export interface AskingFollower {
  /** It is one of the assigned replicas. */
  readonly assigned: boolean;
  /** Its broker epoch is older than that of the unfenced broker of its id (row 11). */
  readonly superseded: boolean;
}

export type FetchVerdict =
  | { readonly kind: 'read' }
  | { readonly kind: 'refuse'; readonly error: ErrorName }
  | { readonly kind: 'diverging'; readonly end: EpochEndOffset };

const READ: FetchVerdict = { kind: 'read' };
const refuse = (error: ErrorName): FetchVerdict => ({ kind: 'refuse', error });

/** Row 4: whoever says no epoch is asked for none. */
export function epochProblem(
  target: Pick<FetchTarget, 'leaderEpoch'>,
  currentLeaderEpoch: LeaderEpoch,
): ErrorName | undefined {
  if (currentLeaderEpoch === NO_EPOCH || currentLeaderEpoch === target.leaderEpoch) return undefined;
  return currentLeaderEpoch < target.leaderEpoch ? 'FENCED_LEADER_EPOCH' : 'UNKNOWN_LEADER_EPOCH';
}

/** What is asked, without the epochs of the askers if the safeguard fetch.epochFence is off: then row 4 finds nothing. */
export function fencedBy<At extends { readonly currentLeaderEpoch: LeaderEpoch }>(
  switches: { safeguard(name: Safeguard): boolean },
  asked: readonly At[],
): readonly At[] {
  if (switches.safeguard('fetch.epochFence')) return asked;
  return asked.map((at) => ({ ...at, currentLeaderEpoch: NO_EPOCH }));
}

/** Rows 4 and 5: the epoch is compared before leadership (repl T-24), so a newer asker hears that we are behind. */
export function leaderProblem(target: FetchTarget, currentLeaderEpoch: LeaderEpoch): ErrorName | undefined {
  const problem = epochProblem(target, currentLeaderEpoch);
  if (problem !== undefined) return problem;
  return target.isLeader ? undefined : 'NOT_LEADER_OR_FOLLOWER';
}

/**
 * Rows 4 to 11. `follower` is undefined for consumers.
 *
 * @param anyReplica Whether a follower may answer: consumers may read from one (repl R-22).
 */
export function checkFetch(
  target: FetchTarget,
  at: FetchPosition,
  follower: AskingFollower | undefined,
  anyReplica = false,
): FetchVerdict {
  const problem = (anyReplica ? epochProblem : leaderProblem)(target, at.currentLeaderEpoch);
  if (problem !== undefined) return refuse(problem);
  if (follower !== undefined && !follower.assigned) {
    return refuse(at.currentLeaderEpoch === NO_EPOCH ? 'NOT_LEADER_OR_FOLLOWER' : 'UNKNOWN_LEADER_EPOCH');
  }
  const position = checkPosition(target.log, at);
  if (position.kind === 'read' && follower?.superseded === true) return refuse('NOT_LEADER_OR_FOLLOWER');
  return position;
}

/** Rows 7 to 10. An offset below the log start wins over divergence. */
function checkPosition(log: FetchTarget['log'], at: FetchPosition): FetchVerdict {
  if (at.lastFetchedEpoch !== NO_EPOCH) {
    const end = log.endOffsetForEpoch(at.lastFetchedEpoch);
    if (end === undefined || at.fetchOffset < log.logStartOffset) return refuse('OFFSET_OUT_OF_RANGE');
    if (end.epoch < at.lastFetchedEpoch || end.endOffset < at.fetchOffset) return { kind: 'diverging', end };
  }
  const inRange = at.fetchOffset >= log.logStartOffset && at.fetchOffset <= log.logEndOffset;
  return inRange ? READ : refuse('OFFSET_OUT_OF_RANGE');
}
