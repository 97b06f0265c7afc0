// Generated from proto/group.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * A member lives (wire G-27).
 */
export interface HeartbeatRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Group id.
   */
  'groupId'?: (string);
  /**
   * Its generation.
   */
  'generationId'?: (number);
  /**
   * Member id.
   */
  'memberId'?: (string);
  /**
   * Static name; empty if dynamic.
   */
  'groupInstanceId'?: (string);
}

/**
 * A member lives (wire G-27).
 */
export interface HeartbeatRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Group id.
   */
  'groupId': (string);
  /**
   * Its generation.
   */
  'generationId': (number);
  /**
   * Member id.
   */
  'memberId': (string);
  /**
   * Static name; empty if dynamic.
   */
  'groupInstanceId': (string);
}
