// Generated from proto/broker.proto. Do not edit.


/**
 * Records for one partition.
 */
export interface ProducePartitionInput {
  /**
   * Topic name.
   */
  'topic'?: (string);
  /**
   * Partition index.
   */
  'partition'?: (number);
  /**
   * Exactly one record batch v2.
   */
  'records'?: (Buffer | Uint8Array | string);
}

/**
 * Records for one partition.
 */
export interface ProducePartition {
  /**
   * Topic name.
   */
  'topic': (string);
  /**
   * Partition index.
   */
  'partition': (number);
  /**
   * Exactly one record batch v2.
   */
  'records': (Buffer);
}
