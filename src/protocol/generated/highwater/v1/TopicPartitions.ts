// Generated from proto/transaction.proto. Do not edit.


/**
 * Partitions of one topic.
 */
export interface TopicPartitionsInput {
  /**
   * Topic name.
   */
  'topic'?: (string);
  /**
   * Partition indexes.
   */
  'partitions'?: (number)[];
}

/**
 * Partitions of one topic.
 */
export interface TopicPartitions {
  /**
   * Topic name.
   */
  'topic': (string);
  /**
   * Partition indexes.
   */
  'partitions': (number)[];
}
