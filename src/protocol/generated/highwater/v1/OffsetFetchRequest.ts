// Generated from proto/group.proto. Do not edit.

import type { NamedPartitionInput as _highwater_v1_NamedPartitionInput, NamedPartition as _highwater_v1_NamedPartition } from '../../highwater/v1/NamedPartition.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Asks for committed offsets (wire G-35).
 */
export interface OffsetFetchRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Group id.
   */
  'groupId'?: (string);
  /**
   * True: all that it has; then `partitions` is ignored.
   */
  'allPartitions'?: (boolean);
  /**
   * Of these.
   */
  'partitions'?: (_highwater_v1_NamedPartitionInput)[];
  /**
   * Partitions with an undecided transactional commit answer UNSTABLE_OFFSET_COMMIT (txn T-70).
   */
  'requireStable'?: (boolean);
}

/**
 * Asks for committed offsets (wire G-35).
 */
export interface OffsetFetchRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Group id.
   */
  'groupId': (string);
  /**
   * True: all that it has; then `partitions` is ignored.
   */
  'allPartitions': (boolean);
  /**
   * Of these.
   */
  'partitions': (_highwater_v1_NamedPartition)[];
  /**
   * Partitions with an undecided transactional commit answer UNSTABLE_OFFSET_COMMIT (txn T-70).
   */
  'requireStable': (boolean);
}
