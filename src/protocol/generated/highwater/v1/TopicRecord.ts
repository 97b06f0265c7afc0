// Generated from proto/common.proto. Do not edit.


/**
 * A topic.
 */
export interface TopicRecordInput {
  /**
   * Its name (wire W-38).
   */
  'name'?: (string);
  /**
   * Random id, 22 characters of base64url; a recreated topic gets a new one (repl R-115).
   */
  'topicId'?: (string);
}

/**
 * A topic.
 */
export interface TopicRecord {
  /**
   * Its name (wire W-38).
   */
  'name': (string);
  /**
   * Random id, 22 characters of base64url; a recreated topic gets a new one (repl R-115).
   */
  'topicId': (string);
}
