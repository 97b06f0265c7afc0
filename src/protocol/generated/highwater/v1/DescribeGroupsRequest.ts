// Generated from proto/group.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * Asks about groups (wire G-38).
 */
export interface DescribeGroupsRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Group ids.
   */
  'groupIds'?: (string)[];
}

/**
 * Asks about groups (wire G-38).
 */
export interface DescribeGroupsRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Group ids.
   */
  'groupIds': (string)[];
}
