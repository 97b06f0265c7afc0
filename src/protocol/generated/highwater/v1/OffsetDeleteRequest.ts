// Generated from proto/group.proto. Do not edit.

import type { NamedPartitionInput as _highwater_v1_NamedPartitionInput, NamedPartition as _highwater_v1_NamedPartition } from '../../highwater/v1/NamedPartition.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Deletes committed offsets (wire G-36).
 */
export interface OffsetDeleteRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Group id.
   */
  'groupId'?: (string);
  /**
   * Of these.
   */
  'partitions'?: (_highwater_v1_NamedPartitionInput)[];
}

/**
 * Deletes committed offsets (wire G-36).
 */
export interface OffsetDeleteRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Group id.
   */
  'groupId': (string);
  /**
   * Of these.
   */
  'partitions': (_highwater_v1_NamedPartition)[];
}
