// Generated from proto/controller.proto. Do not edit.

import type { PartitionAskedInput as _highwater_v1_PartitionAskedInput, PartitionAsked as _highwater_v1_PartitionAsked } from '../../highwater/v1/PartitionAsked.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Asks for reassignments that are under way.
 */
export interface ListPartitionReassignmentsRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Of these partitions; what is not known, or not being reassigned, is left out.
   */
  'partitions'?: (_highwater_v1_PartitionAskedInput)[];
  /**
   * Of all partitions.
   */
  'all'?: (boolean);
}

/**
 * Asks for reassignments that are under way.
 */
export interface ListPartitionReassignmentsRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Of these partitions; what is not known, or not being reassigned, is left out.
   */
  'partitions': (_highwater_v1_PartitionAsked)[];
  /**
   * Of all partitions.
   */
  'all': (boolean);
}
