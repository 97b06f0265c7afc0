// Generated from proto/broker.proto. Do not edit.


/**
 * A partition by topic id.
 */
export interface TopicPartitionIdInput {
  /**
   * Topic id.
   */
  'topicId'?: (string);
  /**
   * Partition index.
   */
  'partition'?: (number);
}

/**
 * A partition by topic id.
 */
export interface TopicPartitionId {
  /**
   * Topic id.
   */
  'topicId': (string);
  /**
   * Partition index.
   */
  'partition': (number);
}
