// Generated from proto/group.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * Lists the groups of one broker (wire G-39).
 */
export interface ListGroupsRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Only these states; empty: all.
   */
  'states'?: (string)[];
  /**
   * Only these types; empty: all.
   */
  'types'?: (string)[];
}

/**
 * Lists the groups of one broker (wire G-39).
 */
export interface ListGroupsRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Only these states; empty: all.
   */
  'states': (string)[];
  /**
   * Only these types; empty: all.
   */
  'types': (string)[];
}
