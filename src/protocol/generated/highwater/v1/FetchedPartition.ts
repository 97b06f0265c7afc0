// Generated from proto/broker.proto. Do not edit.

import type { ErrorCodeInput as _highwater_v1_ErrorCodeInput, ErrorCode as _highwater_v1_ErrorCode } from '../../highwater/v1/ErrorCode.ts';
import type { EpochEndInput as _highwater_v1_EpochEndInput, EpochEnd as _highwater_v1_EpochEnd } from '../../highwater/v1/EpochEnd.ts';
import type { AbortedTransactionInput as _highwater_v1_AbortedTransactionInput, AbortedTransaction as _highwater_v1_AbortedTransaction } from '../../highwater/v1/AbortedTransaction.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * One partition of a fetch response (repl R-33).
 */
export interface FetchedPartitionInput {
  /**
   * Topic id; empty if the topic is unknown.
   */
  'topicId'?: (string);
  /**
   * Topic name.
   */
  'topic'?: (string);
  /**
   * Partition index.
   */
  'partition'?: (number);
  /**
   * Error of this partition.
   */
  'error'?: (_highwater_v1_ErrorCodeInput);
  /**
   * High watermark sampled before the read (repl R-27); -1 on error.
   */
  'highWatermark'?: (number | string | Long);
  /**
   * Last stable offset; -1 on error.
   */
  'lastStableOffset'?: (number | string | Long);
  /**
   * Log start offset; -1 on error.
   */
  'logStartOffset'?: (number | string | Long);
  /**
   * Whole record batches v2, byte for byte.
   */
  'records'?: (Buffer | Uint8Array | string);
  /**
   * Set if the logs diverge below fetch_offset (repl R-26); then records are empty.
   */
  'divergingEpoch'?: (_highwater_v1_EpochEndInput | null);
  /**
   * With NOT_LEADER_OR_FOLLOWER and FENCED_LEADER_EPOCH: the leader as this broker knows it, else -1.
   */
  'currentLeader'?: (number);
  /**
   * Its epoch, else -1.
   */
  'currentLeaderEpoch'?: (number);
  /**
   * Aborted transactions overlapping the records; read_committed only (repl R-34).
   */
  'abortedTransactions'?: (_highwater_v1_AbortedTransactionInput)[];
  /**
   * The replica that the consumer should ask instead; records are empty then (repl R-35). -1 for none.
   */
  'preferredReadReplica'?: (number);
  /**
   * A follower answers: its high watermark may fall within a leader epoch (repl R-48).
   */
  'fromFollower'?: (boolean);
}

/**
 * One partition of a fetch response (repl R-33).
 */
export interface FetchedPartition {
  /**
   * Topic id; empty if the topic is unknown.
   */
  'topicId': (string);
  /**
   * Topic name.
   */
  'topic': (string);
  /**
   * Partition index.
   */
  'partition': (number);
  /**
   * Error of this partition.
   */
  'error': (_highwater_v1_ErrorCode);
  /**
   * High watermark sampled before the read (repl R-27); -1 on error.
   */
  'highWatermark': (number);
  /**
   * Last stable offset; -1 on error.
   */
  'lastStableOffset': (number);
  /**
   * Log start offset; -1 on error.
   */
  'logStartOffset': (number);
  /**
   * Whole record batches v2, byte for byte.
   */
  'records': (Buffer);
  /**
   * Set if the logs diverge below fetch_offset (repl R-26); then records are empty.
   */
  'divergingEpoch': (_highwater_v1_EpochEnd | null);
  /**
   * With NOT_LEADER_OR_FOLLOWER and FENCED_LEADER_EPOCH: the leader as this broker knows it, else -1.
   */
  'currentLeader': (number);
  /**
   * Its epoch, else -1.
   */
  'currentLeaderEpoch': (number);
  /**
   * Aborted transactions overlapping the records; read_committed only (repl R-34).
   */
  'abortedTransactions': (_highwater_v1_AbortedTransaction)[];
  /**
   * The replica that the consumer should ask instead; records are empty then (repl R-35). -1 for none.
   */
  'preferredReadReplica': (number);
  /**
   * A follower answers: its high watermark may fall within a leader epoch (repl R-48).
   */
  'fromFollower': (boolean);
}
