// Generated from proto/group.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * Deletes groups (wire G-37).
 */
export interface DeleteGroupsRequestInput {
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
 * Deletes groups (wire G-37).
 */
export interface DeleteGroupsRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Group ids.
   */
  'groupIds': (string)[];
}
