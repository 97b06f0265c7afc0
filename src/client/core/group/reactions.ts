// What a member does about each error of each request to its coordinator. Decides only.
import type { ErrorName } from '../../../protocol/errors.ts';

/**
 * `again`: the same request after a backoff. `lookup`: likewise, once the coordinator was looked up. `named`: it was given its
 * id and joins with it. `rejoin`: the generation is over. `unknown`: it is no member any more, and asks for a new id; `stale`: it
 * is one of another generation. `fatal`: it can do nothing more. `refused`: the application must hear of it.
 */
export type MemberReaction =
  'done' | 'again' | 'lookup' | 'named' | 'rejoin' | 'unknown' | 'stale' | 'fatal' | 'refused';

type MemberApi = 'JoinGroup' | 'SyncGroup' | 'Heartbeat' | 'OffsetCommit' | 'OffsetFetch';
type Row = Readonly<Partial<Record<ErrorName, MemberReaction>>>;

/** Answers that mean the same to whatever was asked. */
const COMMON: Row = {
  NONE: 'done',
  COORDINATOR_LOAD_IN_PROGRESS: 'again',
  COORDINATOR_NOT_AVAILABLE: 'lookup',
  NOT_COORDINATOR: 'lookup',
  UNKNOWN_MEMBER_ID: 'unknown',
  ILLEGAL_GENERATION: 'stale',
  FENCED_INSTANCE_ID: 'fatal',
  REBALANCE_IN_PROGRESS: 'rejoin',
};

const OWN: Readonly<Record<MemberApi, Row>> = {
  JoinGroup: { MEMBER_ID_REQUIRED: 'named', REBALANCE_IN_PROGRESS: 'again', REQUEST_TIMED_OUT: 'lookup' },
  SyncGroup: { REQUEST_TIMED_OUT: 'lookup' },
  Heartbeat: { REQUEST_TIMED_OUT: 'lookup' },
  OffsetCommit: { UNKNOWN_TOPIC_OR_PARTITION: 'again', REQUEST_TIMED_OUT: 'lookup' },
  OffsetFetch: { UNSTABLE_OFFSET_COMMIT: 'again', REQUEST_TIMED_OUT: 'lookup' },
};

/** The reaction to one answer. */
export function memberReaction(api: MemberApi, error: ErrorName): MemberReaction {
  return OWN[api][error] ?? COMMON[error] ?? 'refused';
}

/** How much a reaction decides, if an answer has several: the one of the greatest weight counts. */
export function weightOf(reaction: MemberReaction): number {
  const order = ['done', 'again', 'lookup', 'refused', 'named', 'rejoin', 'stale', 'unknown', 'fatal'] as const;
  return order.indexOf(reaction);
}
