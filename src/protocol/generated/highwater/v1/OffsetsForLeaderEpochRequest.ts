// Generated from proto/broker.proto. Do not edit.

import type { OffsetForLeaderEpochPartitionInput as _highwater_v1_OffsetForLeaderEpochPartitionInput, OffsetForLeaderEpochPartition as _highwater_v1_OffsetForLeaderEpochPartition } from '../../highwater/v1/OffsetForLeaderEpochPartition.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Asks where leader epochs end (repl R-69).
 */
export interface OffsetsForLeaderEpochRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * One entry a partition.
   */
  'partitions'?: (_highwater_v1_OffsetForLeaderEpochPartitionInput)[];
}

/**
 * Asks where leader epochs end (repl R-69).
 */
export interface OffsetsForLeaderEpochRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * One entry a partition.
   */
  'partitions': (_highwater_v1_OffsetForLeaderEpochPartition)[];
}
