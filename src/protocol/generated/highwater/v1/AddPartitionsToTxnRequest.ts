// Generated from proto/transaction.proto. Do not edit.

import type { TopicPartitionsInput as _highwater_v1_TopicPartitionsInput, TopicPartitions as _highwater_v1_TopicPartitions } from '../../highwater/v1/TopicPartitions.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * A producer registers partitions before its first write to them (txn T-54 to T-57).
 */
export interface AddPartitionsToTxnRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Transactional id.
   */
  'transactionalId'?: (string);
  /**
   * Its producer id.
   */
  'producerId'?: (number | string | Long);
  /**
   * Its epoch.
   */
  'producerEpoch'?: (number);
  /**
   * What it is about to write to.
   */
  'topics'?: (_highwater_v1_TopicPartitionsInput)[];
}

/**
 * A producer registers partitions before its first write to them (txn T-54 to T-57).
 */
export interface AddPartitionsToTxnRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Transactional id.
   */
  'transactionalId': (string);
  /**
   * Its producer id.
   */
  'producerId': (number);
  /**
   * Its epoch.
   */
  'producerEpoch': (number);
  /**
   * What it is about to write to.
   */
  'topics': (_highwater_v1_TopicPartitions)[];
}
