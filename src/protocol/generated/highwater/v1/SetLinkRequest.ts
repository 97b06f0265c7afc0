// Generated from proto/faults.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * Cuts or mends one direction of a link.
 */
export interface SetLinkRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * The node to which this node sends.
   */
  'to'?: (number);
  /**
   * True: everything sent there is lost.
   */
  'cut'?: (boolean);
}

/**
 * Cuts or mends one direction of a link.
 */
export interface SetLinkRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * The node to which this node sends.
   */
  'to': (number);
  /**
   * True: everything sent there is lost.
   */
  'cut': (boolean);
}
