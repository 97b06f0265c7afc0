// Generated from proto/broker.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * One partition of a fetch.
 */
export interface FetchPartitionInput {
  /**
   * Topic id; wins over `topic`. Empty when a client asks by name.
   */
  'topicId'?: (string);
  /**
   * Topic name; used when topic_id is empty.
   */
  'topic'?: (string);
  /**
   * Partition index.
   */
  'partition'?: (number);
  /**
   * The leader epoch the sender believes in; -1 skips the check.
   */
  'currentLeaderEpoch'?: (number);
  /**
   * First offset wanted.
   */
  'fetchOffset'?: (number | string | Long);
  /**
   * Leader epoch of the last record before fetch_offset in the sender's log; -1 for none.
   */
  'lastFetchedEpoch'?: (number);
  /**
   * The follower's log start offset; -1 from consumers.
   */
  'logStartOffset'?: (number | string | Long);
  /**
   * Budget of this partition, bytes.
   */
  'partitionMaxBytes'?: (number);
}

/**
 * One partition of a fetch.
 */
export interface FetchPartition {
  /**
   * Topic id; wins over `topic`. Empty when a client asks by name.
   */
  'topicId': (string);
  /**
   * Topic name; used when topic_id is empty.
   */
  'topic': (string);
  /**
   * Partition index.
   */
  'partition': (number);
  /**
   * The leader epoch the sender believes in; -1 skips the check.
   */
  'currentLeaderEpoch': (number);
  /**
   * First offset wanted.
   */
  'fetchOffset': (number);
  /**
   * Leader epoch of the last record before fetch_offset in the sender's log; -1 for none.
   */
  'lastFetchedEpoch': (number);
  /**
   * The follower's log start offset; -1 from consumers.
   */
  'logStartOffset': (number);
  /**
   * Budget of this partition, bytes.
   */
  'partitionMaxBytes': (number);
}
