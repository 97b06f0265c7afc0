// Generated from proto/controller.proto. Do not edit.

import type { NewTopicInput as _highwater_v1_NewTopicInput, NewTopic as _highwater_v1_NewTopic } from '../../highwater/v1/NewTopic.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Topics to create.
 */
export interface CreateTopicsRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * One entry a topic.
   */
  'topics'?: (_highwater_v1_NewTopicInput)[];
  /**
   * Check only.
   */
  'validateOnly'?: (boolean);
}

/**
 * Topics to create.
 */
export interface CreateTopicsRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * One entry a topic.
   */
  'topics': (_highwater_v1_NewTopic)[];
  /**
   * Check only.
   */
  'validateOnly': (boolean);
}
