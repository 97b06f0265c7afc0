// Generated from proto/broker.proto. Do not edit.

import type { FollowerDescriptionInput as _highwater_v1_FollowerDescriptionInput, FollowerDescription as _highwater_v1_FollowerDescription } from '../../highwater/v1/FollowerDescription.ts';
import type { EpochEndInput as _highwater_v1_EpochEndInput, EpochEnd as _highwater_v1_EpochEnd } from '../../highwater/v1/EpochEnd.ts';
import type { OldestTransactionInput as _highwater_v1_OldestTransactionInput, OldestTransaction as _highwater_v1_OldestTransaction } from '../../highwater/v1/OldestTransaction.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * One replica.
 */
export interface ReplicaDescriptionInput {
  /**
   * Topic name.
   */
  'topic'?: (string);
  /**
   * Partition index.
   */
  'partition'?: (number);
  /**
   * "leader" or "follower".
   */
  'role'?: (string);
  /**
   * Leader epoch this broker has applied.
   */
  'leaderEpoch'?: (number);
  /**
   * First readable offset.
   */
  'logStartOffset'?: (number | string | Long);
  /**
   * High watermark as this replica knows it.
   */
  'highWatermark'?: (number | string | Long);
  /**
   * Last stable offset.
   */
  'lastStableOffset'?: (number | string | Long);
  /**
   * Next offset to be written.
   */
  'logEndOffset'?: (number | string | Long);
  /**
   * Leaders: the committed in-sync replicas.
   */
  'isr'?: (number)[];
  /**
   * Leaders: the maximal ISR (repl R-43).
   */
  'maximalIsr'?: (number)[];
  /**
   * Leaders: what is known of each follower.
   */
  'followers'?: (_highwater_v1_FollowerDescriptionInput)[];
  /**
   * Leader-epoch cache.
   */
  'epochs'?: (_highwater_v1_EpochEndInput)[];
  /**
   * Batches from `from_offset`, if asked for.
   */
  'records'?: (Buffer | Uint8Array | string);
  /**
   * Where to go on if `records` was cut; -1 at the end.
   */
  'nextOffset'?: (number | string | Long);
  /**
   * The open transaction that began first (txn T-182); absent if none is open.
   */
  'oldestTransaction'?: (_highwater_v1_OldestTransactionInput | null);
}

/**
 * One replica.
 */
export interface ReplicaDescription {
  /**
   * Topic name.
   */
  'topic': (string);
  /**
   * Partition index.
   */
  'partition': (number);
  /**
   * "leader" or "follower".
   */
  'role': (string);
  /**
   * Leader epoch this broker has applied.
   */
  'leaderEpoch': (number);
  /**
   * First readable offset.
   */
  'logStartOffset': (number);
  /**
   * High watermark as this replica knows it.
   */
  'highWatermark': (number);
  /**
   * Last stable offset.
   */
  'lastStableOffset': (number);
  /**
   * Next offset to be written.
   */
  'logEndOffset': (number);
  /**
   * Leaders: the committed in-sync replicas.
   */
  'isr': (number)[];
  /**
   * Leaders: the maximal ISR (repl R-43).
   */
  'maximalIsr': (number)[];
  /**
   * Leaders: what is known of each follower.
   */
  'followers': (_highwater_v1_FollowerDescription)[];
  /**
   * Leader-epoch cache.
   */
  'epochs': (_highwater_v1_EpochEnd)[];
  /**
   * Batches from `from_offset`, if asked for.
   */
  'records': (Buffer);
  /**
   * Where to go on if `records` was cut; -1 at the end.
   */
  'nextOffset': (number);
  /**
   * The open transaction that began first (txn T-182); absent if none is open.
   */
  'oldestTransaction': (_highwater_v1_OldestTransaction | null);
}
