// Generated from proto/group.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * An offset to be committed.
 */
export interface OffsetToCommitInput {
  /**
   * Topic name.
   */
  'topic'?: (string);
  /**
   * Partition index.
   */
  'partition'?: (number);
  /**
   * Next offset to be read.
   */
  'offset'?: (number | string | Long);
  /**
   * Leader epoch of the last record read; -1 unknown.
   */
  'leaderEpoch'?: (number);
  /**
   * Free text.
   */
  'metadata'?: (string);
}

/**
 * An offset to be committed.
 */
export interface OffsetToCommit {
  /**
   * Topic name.
   */
  'topic': (string);
  /**
   * Partition index.
   */
  'partition': (number);
  /**
   * Next offset to be read.
   */
  'offset': (number);
  /**
   * Leader epoch of the last record read; -1 unknown.
   */
  'leaderEpoch': (number);
  /**
   * Free text.
   */
  'metadata': (string);
}
