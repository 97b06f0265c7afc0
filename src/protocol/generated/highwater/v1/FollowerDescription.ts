// Generated from proto/broker.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * What a leader knows of a follower (repl R-41).
 */
export interface FollowerDescriptionInput {
  /**
   * Broker id.
   */
  'brokerId'?: (number);
  /**
   * Its log end offset as recorded by the leader; -1 unknown.
   */
  'logEndOffset'?: (number | string | Long);
  /**
   * Ms since it was last caught up; -1 never.
   */
  'caughtUpMsAgo'?: (number | string | Long);
}

/**
 * What a leader knows of a follower (repl R-41).
 */
export interface FollowerDescription {
  /**
   * Broker id.
   */
  'brokerId': (number);
  /**
   * Its log end offset as recorded by the leader; -1 unknown.
   */
  'logEndOffset': (number);
  /**
   * Ms since it was last caught up; -1 never.
   */
  'caughtUpMsAgo': (number);
}
