// What a group coordinator offers to its broker: requests, and what the broker tells it. Answers come once each, perhaps
// inside the call. The rules are part B of spec/wire.md and section 4.2 of spec/transactions.md.
import type { LeaderEpoch, TopicId } from '../../base/units.ts';
import type { Marker } from '../../log/control-batch.ts';
import type { RequestOf, ResponseOf, UnaryApi } from '../../protocol/apis.ts';
import type { ErrorName } from '../../protocol/errors.ts';

/** Takes the answer to a request. */
export type Answer<A extends UnaryApi> = (response: ResponseOf<A>) => void;

export interface GroupCoordinator {
  /** Begins its scans (wire G-41). */
  start(): void;
  /** Ends everything: this broker stops. */
  stop(): void;

  // ---- what the broker tells
  /** This broker leads a partition of __consumer_offsets now (wire G-7). */
  elected(partition: number, leaderEpoch: LeaderEpoch): void;
  /** It does not any more; undefined: the replica is gone (wire G-7). */
  resigned(partition: number, leaderEpoch: LeaderEpoch | undefined): void;
  /** Topics were deleted (wire G-41, txn T-68). */
  topicsDeleted(topics: readonly { readonly topic: string; readonly topicId: TopicId }[]): void;
  /** A marker for a partition of __consumer_offsets (txn T-71, T-85, wire G-46). */
  writeMarker(
    partition: number,
    marker: Marker & { readonly transactionVersion: number },
    done: (error: ErrorName) => void,
  ): void;

  // ---- requests
  joinGroup(request: RequestOf<'JoinGroup'>, answer: Answer<'JoinGroup'>): void;
  syncGroup(request: RequestOf<'SyncGroup'>, answer: Answer<'SyncGroup'>): void;
  heartbeat(request: RequestOf<'Heartbeat'>, answer: Answer<'Heartbeat'>): void;
  leaveGroup(request: RequestOf<'LeaveGroup'>, answer: Answer<'LeaveGroup'>): void;
  offsetCommit(request: RequestOf<'OffsetCommit'>, answer: Answer<'OffsetCommit'>): void;
  txnOffsetCommit(request: RequestOf<'TxnOffsetCommit'>, answer: Answer<'TxnOffsetCommit'>): void;
  offsetFetch(request: RequestOf<'OffsetFetch'>, answer: Answer<'OffsetFetch'>): void;
  offsetDelete(request: RequestOf<'OffsetDelete'>, answer: Answer<'OffsetDelete'>): void;
  deleteGroups(request: RequestOf<'DeleteGroups'>, answer: Answer<'DeleteGroups'>): void;
  describeGroups(request: RequestOf<'DescribeGroups'>, answer: Answer<'DescribeGroups'>): void;
  listGroups(request: RequestOf<'ListGroups'>, answer: Answer<'ListGroups'>): void;
}
