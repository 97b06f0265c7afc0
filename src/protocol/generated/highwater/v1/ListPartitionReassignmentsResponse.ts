// Generated from proto/controller.proto. Do not edit.

import type { OngoingReassignmentInput as _highwater_v1_OngoingReassignmentInput, OngoingReassignment as _highwater_v1_OngoingReassignment } from '../../highwater/v1/OngoingReassignment.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Answer to ListPartitionReassignments.
 */
export interface ListPartitionReassignmentsResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Those under way.
   */
  'partitions'?: (_highwater_v1_OngoingReassignmentInput)[];
}

/**
 * Answer to ListPartitionReassignments.
 */
export interface ListPartitionReassignmentsResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Those under way.
   */
  'partitions': (_highwater_v1_OngoingReassignment)[];
}
