// Generated from proto/controller.proto. Do not edit.

import type { MorePartitionsInput as _highwater_v1_MorePartitionsInput, MorePartitions as _highwater_v1_MorePartitions } from '../../highwater/v1/MorePartitions.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Topics that are to have more partitions.
 */
export interface CreatePartitionsRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * One entry a topic.
   */
  'topics'?: (_highwater_v1_MorePartitionsInput)[];
  /**
   * Check only.
   */
  'validateOnly'?: (boolean);
}

/**
 * Topics that are to have more partitions.
 */
export interface CreatePartitionsRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * One entry a topic.
   */
  'topics': (_highwater_v1_MorePartitions)[];
  /**
   * Check only.
   */
  'validateOnly': (boolean);
}
