// Generated from proto/broker.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * One partition of a ListOffsets.
 */
export interface ListOffsetsPartitionInput {
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
   * -1 latest, -2 earliest, -3 largest timestamp, else ms since the epoch.
   */
  'timestamp'?: (number | string | Long);
}

/**
 * One partition of a ListOffsets.
 */
export interface ListOffsetsPartition {
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
   * -1 latest, -2 earliest, -3 largest timestamp, else ms since the epoch.
   */
  'timestamp': (number);
}
