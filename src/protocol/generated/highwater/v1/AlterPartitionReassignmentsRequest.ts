// Generated from proto/controller.proto. Do not edit.

import type { PartitionReassignmentInput as _highwater_v1_PartitionReassignmentInput, PartitionReassignment as _highwater_v1_PartitionReassignment } from '../../highwater/v1/PartitionReassignment.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Replicas to move.
 */
export interface AlterPartitionReassignmentsRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Each of them succeeds or fails on its own.
   */
  'partitions'?: (_highwater_v1_PartitionReassignmentInput)[];
  /**
   * Whether a partition may get more replicas than it had, or fewer.
   */
  'allowReplicationFactorChange'?: (boolean);
}

/**
 * Replicas to move.
 */
export interface AlterPartitionReassignmentsRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Each of them succeeds or fails on its own.
   */
  'partitions': (_highwater_v1_PartitionReassignment)[];
  /**
   * Whether a partition may get more replicas than it had, or fewer.
   */
  'allowReplicationFactorChange': (boolean);
}
