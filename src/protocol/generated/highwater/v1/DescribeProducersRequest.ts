// Generated from proto/transaction.proto. Do not edit.

import type { TopicPartitionsInput as _highwater_v1_TopicPartitionsInput, TopicPartitions as _highwater_v1_TopicPartitions } from '../../highwater/v1/TopicPartitions.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Asks a replica what it knows of producers (txn T-178).
 */
export interface DescribeProducersRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Of these partitions.
   */
  'topics'?: (_highwater_v1_TopicPartitionsInput)[];
}

/**
 * Asks a replica what it knows of producers (txn T-178).
 */
export interface DescribeProducersRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Of these partitions.
   */
  'topics': (_highwater_v1_TopicPartitions)[];
}
