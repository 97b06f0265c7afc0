// Generated from proto/agent.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * Cuts or mends a link.
 */
export interface SetLinkBetweenRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * The sending node.
   */
  'from'?: (number);
  /**
   * The receiving node.
   */
  'to'?: (number);
  /**
   * True cuts, false mends.
   */
  'cut'?: (boolean);
}

/**
 * Cuts or mends a link.
 */
export interface SetLinkBetweenRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * The sending node.
   */
  'from': (number);
  /**
   * The receiving node.
   */
  'to': (number);
  /**
   * True cuts, false mends.
   */
  'cut': (boolean);
}
