// Generated from proto/common.proto. Do not edit.


/**
 * The end of a topic.
 */
export interface RemoveTopicRecordInput {
  /**
   * Which topic.
   */
  'topicId'?: (string);
}

/**
 * The end of a topic.
 */
export interface RemoveTopicRecord {
  /**
   * Which topic.
   */
  'topicId': (string);
}
