// Generated from proto/group.proto. Do not edit.


/**
 * Partition of a topic by name.
 */
export interface NamedPartitionInput {
  /**
   * Topic name.
   */
  'topic'?: (string);
  /**
   * Partition index.
   */
  'partition'?: (number);
}

/**
 * Partition of a topic by name.
 */
export interface NamedPartition {
  /**
   * Topic name.
   */
  'topic': (string);
  /**
   * Partition index.
   */
  'partition': (number);
}
