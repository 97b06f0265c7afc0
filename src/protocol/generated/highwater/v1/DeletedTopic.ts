// Generated from proto/controller.proto. Do not edit.

import type { ErrorCodeInput as _highwater_v1_ErrorCodeInput, ErrorCode as _highwater_v1_ErrorCode } from '../../highwater/v1/ErrorCode.ts';

/**
 * What became of one topic.
 */
export interface DeletedTopicInput {
  /**
   * Name; empty if the id is unknown.
   */
  'name'?: (string);
  /**
   * Topic id if it existed.
   */
  'topicId'?: (string);
  /**
   * Error.
   */
  'error'?: (_highwater_v1_ErrorCodeInput);
  /**
   * A sentence for people.
   */
  'errorMessage'?: (string);
}

/**
 * What became of one topic.
 */
export interface DeletedTopic {
  /**
   * Name; empty if the id is unknown.
   */
  'name': (string);
  /**
   * Topic id if it existed.
   */
  'topicId': (string);
  /**
   * Error.
   */
  'error': (_highwater_v1_ErrorCode);
  /**
   * A sentence for people.
   */
  'errorMessage': (string);
}
