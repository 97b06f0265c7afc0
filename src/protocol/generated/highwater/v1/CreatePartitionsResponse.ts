// Generated from proto/controller.proto. Do not edit.

import type { CreatedPartitionsInput as _highwater_v1_CreatedPartitionsInput, CreatedPartitions as _highwater_v1_CreatedPartitions } from '../../highwater/v1/CreatedPartitions.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Answer to CreatePartitions.
 */
export interface CreatePartitionsResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * In request order.
   */
  'topics'?: (_highwater_v1_CreatedPartitionsInput)[];
}

/**
 * Answer to CreatePartitions.
 */
export interface CreatePartitionsResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * In request order.
   */
  'topics': (_highwater_v1_CreatedPartitions)[];
}
