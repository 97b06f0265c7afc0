// Generated from proto/broker.proto. Do not edit.

import type { DeleteRecordsPartitionInput as _highwater_v1_DeleteRecordsPartitionInput, DeleteRecordsPartition as _highwater_v1_DeleteRecordsPartition } from '../../highwater/v1/DeleteRecordsPartition.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Asks leaders to delete what lies before an offset (repl R-118).
 */
export interface DeleteRecordsRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Of these partitions.
   */
  'partitions'?: (_highwater_v1_DeleteRecordsPartitionInput)[];
  /**
   * How long the answer may wait for the replicas.
   */
  'timeoutMs'?: (number);
}

/**
 * Asks leaders to delete what lies before an offset (repl R-118).
 */
export interface DeleteRecordsRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Of these partitions.
   */
  'partitions': (_highwater_v1_DeleteRecordsPartition)[];
  /**
   * How long the answer may wait for the replicas.
   */
  'timeoutMs': (number);
}
