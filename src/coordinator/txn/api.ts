// What a transaction coordinator offers to its broker: requests, and what the broker tells it. Answers come once each,
// perhaps inside the call. The rules are spec/transactions.md sections 1 to 4.
import type { LeaderEpoch } from '../../base/units.ts';
import type { RequestOf, ResponseOf, UnaryApi } from '../../protocol/apis.ts';

/** Takes the answer to a request. */
export type Answer<A extends UnaryApi> = (response: ResponseOf<A>) => void;

export interface TransactionCoordinator {
  /** Begins its scans (txn T-32, T-34). */
  start(): void;
  /** Ends everything: this broker stops. What waits is answered COORDINATOR_NOT_AVAILABLE. */
  stop(): void;

  // ---- what the broker tells
  /** This broker leads a partition of __transaction_state now (txn T-25). */
  elected(partition: number, leaderEpoch: LeaderEpoch): void;
  /** It does not any more, from this epoch on; undefined: the replica is gone (txn T-30). */
  resigned(partition: number, leaderEpoch: LeaderEpoch | undefined): void;
  /** The metadata image has changed: leaders may have, topics may be gone (txn T-82, T-83). */
  metadataChanged(): void;

  // ---- requests
  /** With a transactional id; without one the broker answers itself (txn T-39). */
  initProducerId(request: RequestOf<'InitProducerId'>, answer: Answer<'InitProducerId'>): void;
  addPartitionsToTxn(request: RequestOf<'AddPartitionsToTxn'>, answer: Answer<'AddPartitionsToTxn'>): void;
  verifyTransactions(request: RequestOf<'VerifyTransactions'>, answer: Answer<'VerifyTransactions'>): void;
  addOffsetsToTxn(request: RequestOf<'AddOffsetsToTxn'>, answer: Answer<'AddOffsetsToTxn'>): void;
  endTxn(request: RequestOf<'EndTxn'>, answer: Answer<'EndTxn'>): void;
  listTransactions(request: RequestOf<'ListTransactions'>, answer: Answer<'ListTransactions'>): void;
  describeTransactions(request: RequestOf<'DescribeTransactions'>, answer: Answer<'DescribeTransactions'>): void;
}
