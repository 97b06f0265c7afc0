// Generated from proto/controller.proto. Do not edit.

import type { DeletedTopicInput as _highwater_v1_DeletedTopicInput, DeletedTopic as _highwater_v1_DeletedTopic } from '../../highwater/v1/DeletedTopic.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Answer to DeleteTopics.
 */
export interface DeleteTopicsResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * In request order, names before ids.
   */
  'topics'?: (_highwater_v1_DeletedTopicInput)[];
}

/**
 * Answer to DeleteTopics.
 */
export interface DeleteTopicsResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * In request order, names before ids.
   */
  'topics': (_highwater_v1_DeletedTopic)[];
}
