// Generated from proto/transaction.proto. Do not edit.

import type { ErrorCodeInput as _highwater_v1_ErrorCodeInput, ErrorCode as _highwater_v1_ErrorCode } from '../../highwater/v1/ErrorCode.ts';
import type { TopicPartitionsInput as _highwater_v1_TopicPartitionsInput, TopicPartitions as _highwater_v1_TopicPartitions } from '../../highwater/v1/TopicPartitions.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * One of them.
 */
export interface DescribedTransactionInput {
  /**
   * Transactional id.
   */
  'transactionalId'?: (string);
  /**
   * Error; then the rest means nothing.
   */
  'error'?: (_highwater_v1_ErrorCodeInput);
  /**
   * Producer id.
   */
  'producerId'?: (number | string | Long);
  /**
   * Its epoch.
   */
  'producerEpoch'?: (number);
  /**
   * Kafka's name of its state.
   */
  'state'?: (string);
  /**
   * When it is aborted if still open, ms after its start.
   */
  'transactionTimeoutMs'?: (number);
  /**
   * When its transaction began, or the last one that it completed, ms since the epoch; -1 none.
   */
  'startTimeMs'?: (number | string | Long);
  /**
   * Partitions of it; while markers are written those that still lack theirs.
   */
  'topics'?: (_highwater_v1_TopicPartitionsInput)[];
  /**
   * Partition of __transaction_state.
   */
  'partition'?: (number);
  /**
   * Leader epoch under which it is served.
   */
  'coordinatorEpoch'?: (number);
}

/**
 * One of them.
 */
export interface DescribedTransaction {
  /**
   * Transactional id.
   */
  'transactionalId': (string);
  /**
   * Error; then the rest means nothing.
   */
  'error': (_highwater_v1_ErrorCode);
  /**
   * Producer id.
   */
  'producerId': (number);
  /**
   * Its epoch.
   */
  'producerEpoch': (number);
  /**
   * Kafka's name of its state.
   */
  'state': (string);
  /**
   * When it is aborted if still open, ms after its start.
   */
  'transactionTimeoutMs': (number);
  /**
   * When its transaction began, or the last one that it completed, ms since the epoch; -1 none.
   */
  'startTimeMs': (number);
  /**
   * Partitions of it; while markers are written those that still lack theirs.
   */
  'topics': (_highwater_v1_TopicPartitions)[];
  /**
   * Partition of __transaction_state.
   */
  'partition': (number);
  /**
   * Leader epoch under which it is served.
   */
  'coordinatorEpoch': (number);
}
