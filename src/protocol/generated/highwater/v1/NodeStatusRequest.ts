// Generated from proto/events.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * Asks for the status.
 */
export interface NodeStatusRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
}

/**
 * Asks for the status.
 */
export interface NodeStatusRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
}
