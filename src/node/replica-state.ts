// What a leader knows of one follower, and how a fetch or a new epoch changes it (repl ). Pure: the
// states are values.
import type { BrokerEpoch, DurationMs, InstantMs, LeaderEpoch, Offset } from '../base/units.ts';
import { NO_OFFSET } from '../base/units.ts';

/** A time before all others. Kafka writes 0, which is long ago on its clock; a monotonic clock may itself start at 0. */
export const NEVER: InstantMs = -Infinity;

export interface ReplicaState {
  /** The offset of its last valid fetch; -1 until it fetched in this leadership. */
  readonly logEndOffset: Offset;
  /** Its log start as that fetch said; -1 unknown. */
  readonly logStartOffset: Offset;
  readonly lastFetchTimeMs: InstantMs;
  /** The leader's log end when that fetch arrived. */
  readonly lastFetchLeaderLogEndOffset: Offset;
  /** When it was last known to hold all that the leader had at one of its fetches (repl T-20). */
  readonly lastCaughtUpTimeMs: InstantMs;
  /** Broker epoch in its last fetch (-1 if that said none); undefined until it fetched. */
  readonly brokerEpoch: BrokerEpoch | undefined;
}

/** A follower that has never fetched (repl R-42: also one that a change of the assignment adds). */
export const UNSEEN: ReplicaState = {
  logEndOffset: NO_OFFSET,
  logStartOffset: NO_OFFSET,
  lastFetchTimeMs: NEVER,
  lastFetchLeaderLogEndOffset: NO_OFFSET,
  lastCaughtUpTimeMs: NEVER,
  brokerEpoch: undefined,
};

/** A valid fetch as it arrived. */
export interface RecordedFetch {
  /** The position the read found (repl R-41). */
  readonly offset: Offset;
  readonly logStartOffset: Offset;
  readonly arrivedAtMs: InstantMs;
  /** The leader's log end at arrival. */
  readonly leaderLogEndOffset: Offset;
  readonly brokerEpoch: BrokerEpoch;
  /** The leader epoch the follower said it is in; -1 if it said none. */
  readonly currentLeaderEpoch: LeaderEpoch;
}

/** Repl R-41. Offsets have no monotonic guard: the order of requests is the session's duty (repl T-28). */
export function afterFetch(before: ReplicaState, fetch: RecordedFetch): ReplicaState {
  const { offset, arrivedAtMs, leaderLogEndOffset } = fetch;
  let lastCaughtUpTimeMs = before.lastCaughtUpTimeMs;
  if (offset >= leaderLogEndOffset) lastCaughtUpTimeMs = Math.max(lastCaughtUpTimeMs, arrivedAtMs);
  else if (offset >= before.lastFetchLeaderLogEndOffset) {
    lastCaughtUpTimeMs = Math.max(lastCaughtUpTimeMs, before.lastFetchTimeMs);
  }
  return {
    logEndOffset: offset,
    logStartOffset: fetch.logStartOffset,
    lastFetchTimeMs: arrivedAtMs,
    lastFetchLeaderLogEndOffset: Math.max(leaderLogEndOffset, before.lastFetchLeaderLogEndOffset),
    lastCaughtUpTimeMs,
    brokerEpoch: fetch.brokerEpoch,
  };
}

/** What the start of a leader epoch finds. */
export interface EpochReset {
  /** Whether this broker led the partition before: then what it knows is kept (repl T-21). */
  readonly wasLeader: boolean;
  readonly inIsr: boolean;
  readonly nowMs: InstantMs;
  readonly epochStart: Offset;
}

/** Repl R-42: the state of a follower at the start of a new leader epoch. */
export function afterNewEpoch(before: ReplicaState, reset: EpochReset): ReplicaState {
  const lastCaughtUpTimeMs = reset.inIsr ? reset.nowMs : NEVER;
  if (!reset.wasLeader) return { ...UNSEEN, lastCaughtUpTimeMs };
  return {
    ...before,
    lastFetchTimeMs: reset.inIsr ? reset.nowMs : NEVER,
    lastFetchLeaderLogEndOffset: reset.epochStart,
    lastCaughtUpTimeMs,
  };
}

/** Repl R-54. A dead follower that holds everything of an idle partition stays caught up for ever (repl T-19). */
export function isCaughtUp(
  state: ReplicaState,
  leaderLogEndOffset: Offset,
  nowMs: InstantMs,
  lagMaxMs: DurationMs,
): boolean {
  return state.logEndOffset === leaderLogEndOffset || nowMs - state.lastCaughtUpTimeMs <= lagMaxMs;
}
