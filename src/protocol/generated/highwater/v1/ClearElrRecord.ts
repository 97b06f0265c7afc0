// Generated from proto/common.proto. Do not edit.


/**
 * Forgets the eligible leader replicas and last-known leaders of partitions (repl R-119). partitionEpoch rises by 1 where there were any.
 */
export interface ClearElrRecordInput {
  /**
   * Topic name; empty: all topics.
   */
  'topic'?: (string);
}

/**
 * Forgets the eligible leader replicas and last-known leaders of partitions (repl R-119). partitionEpoch rises by 1 where there were any.
 */
export interface ClearElrRecord {
  /**
   * Topic name; empty: all topics.
   */
  'topic': (string);
}
