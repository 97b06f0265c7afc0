// Generated from proto/broker.proto. Do not edit.

import type { ListOffsetsPartitionInput as _highwater_v1_ListOffsetsPartitionInput, ListOffsetsPartition as _highwater_v1_ListOffsetsPartition } from '../../highwater/v1/ListOffsetsPartition.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Asks for offsets.
 */
export interface ListOffsetsRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Broker id of a follower, -1 consumer, -2 debug (repl R-21).
   */
  'replicaId'?: (number);
  /**
   * 0 read_uncommitted, 1 read_committed.
   */
  'isolationLevel'?: (number);
  /**
   * One entry a partition.
   */
  'partitions'?: (_highwater_v1_ListOffsetsPartitionInput)[];
}

/**
 * Asks for offsets.
 */
export interface ListOffsetsRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Broker id of a follower, -1 consumer, -2 debug (repl R-21).
   */
  'replicaId': (number);
  /**
   * 0 read_uncommitted, 1 read_committed.
   */
  'isolationLevel': (number);
  /**
   * One entry a partition.
   */
  'partitions': (_highwater_v1_ListOffsetsPartition)[];
}
