// Generated from proto/broker.proto. Do not edit.


/**
 * One partition of the question.
 */
export interface OffsetForLeaderEpochPartitionInput {
  /**
   * Topic name.
   */
  'topic'?: (string);
  /**
   * Partition index.
   */
  'partition'?: (number);
  /**
   * Leader epoch believed in; -1 skips the check.
   */
  'currentLeaderEpoch'?: (number);
  /**
   * The epoch asked about.
   */
  'leaderEpoch'?: (number);
}

/**
 * One partition of the question.
 */
export interface OffsetForLeaderEpochPartition {
  /**
   * Topic name.
   */
  'topic': (string);
  /**
   * Partition index.
   */
  'partition': (number);
  /**
   * Leader epoch believed in; -1 skips the check.
   */
  'currentLeaderEpoch': (number);
  /**
   * The epoch asked about.
   */
  'leaderEpoch': (number);
}
