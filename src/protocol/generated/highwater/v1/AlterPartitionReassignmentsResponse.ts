// Generated from proto/controller.proto. Do not edit.

import type { AlteredReassignmentInput as _highwater_v1_AlteredReassignmentInput, AlteredReassignment as _highwater_v1_AlteredReassignment } from '../../highwater/v1/AlteredReassignment.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Answer to AlterPartitionReassignments.
 */
export interface AlterPartitionReassignmentsResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * In request order.
   */
  'partitions'?: (_highwater_v1_AlteredReassignmentInput)[];
}

/**
 * Answer to AlterPartitionReassignments.
 */
export interface AlterPartitionReassignmentsResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * In request order.
   */
  'partitions': (_highwater_v1_AlteredReassignment)[];
}
