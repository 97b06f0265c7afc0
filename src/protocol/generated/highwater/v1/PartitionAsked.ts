// Generated from proto/controller.proto. Do not edit.


/**
 * A partition by name.
 */
export interface PartitionAskedInput {
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
 * A partition by name.
 */
export interface PartitionAsked {
  /**
   * Topic name.
   */
  'topic': (string);
  /**
   * Partition index.
   */
  'partition': (number);
}
