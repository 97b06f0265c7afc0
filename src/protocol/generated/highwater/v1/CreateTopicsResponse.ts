// Generated from proto/controller.proto. Do not edit.

import type { CreatedTopicInput as _highwater_v1_CreatedTopicInput, CreatedTopic as _highwater_v1_CreatedTopic } from '../../highwater/v1/CreatedTopic.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Answer to CreateTopics.
 */
export interface CreateTopicsResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * In request order.
   */
  'topics'?: (_highwater_v1_CreatedTopicInput)[];
}

/**
 * Answer to CreateTopics.
 */
export interface CreateTopicsResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * In request order.
   */
  'topics': (_highwater_v1_CreatedTopic)[];
}
