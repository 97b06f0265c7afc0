// What a broker tells its coordinators, and what it asks of them. The host puts them together (src/host): the node and the
// coordinators share messages, not memory.
import type { LeaderEpoch, TopicId } from '../base/units.ts';
import type { Marker } from '../log/control-batch.ts';
import type { RequestOf, ResponseOf } from '../protocol/apis.ts';
import type { ErrorName } from '../protocol/errors.ts';

/** Requests that a coordinator answers. InitProducerId: those with a transactional id. */
export type CoordinatorApi =
  | 'InitProducerId'
  | 'AddPartitionsToTxn'
  | 'VerifyTransactions'
  | 'AddOffsetsToTxn'
  | 'EndTxn'
  | 'ListTransactions'
  | 'DescribeTransactions'
  | 'JoinGroup'
  | 'SyncGroup'
  | 'Heartbeat'
  | 'LeaveGroup'
  | 'OffsetCommit'
  | 'TxnOffsetCommit'
  | 'OffsetFetch'
  | 'OffsetDelete'
  | 'DeleteGroups'
  | 'DescribeGroups'
  | 'ListGroups';

/** One handler an API. Answers come once each, perhaps inside the call. */
export type CoordinatorRequests = {
  readonly [A in CoordinatorApi]: (request: RequestOf<A>, answer: (response: ResponseOf<A>) => void) => void;
};

/** A marker as a coordinator, or an administrator, sends it (txn T-81, T-118). */
export interface SentMarker extends Marker {
  readonly transactionVersion: number;
}

export interface Coordinators {
  readonly requests: CoordinatorRequests;
  start(): void;
  /** Answers everything: the broker stops. */
  stop(): void;
  /** This broker leads a partition of an internal topic now. */
  elected(topic: string, partition: number, leaderEpoch: LeaderEpoch): void;
  /** It does not any more; undefined: the replica is gone. */
  resigned(topic: string, partition: number, leaderEpoch: LeaderEpoch | undefined): void;
  /** The metadata image changed. */
  metadataChanged(): void;
  topicsDeleted(topics: readonly { readonly topic: string; readonly topicId: TopicId }[]): void;
  /** A marker for a partition of __consumer_offsets (txn T-85, wire G-46). */
  writeOffsetsMarker(partition: number, marker: SentMarker, done: (error: ErrorName) => void): void;
}
