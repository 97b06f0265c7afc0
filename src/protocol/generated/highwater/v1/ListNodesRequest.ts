// Generated from proto/agent.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * Asks for the nodes.
 */
export interface ListNodesRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
}

/**
 * Asks for the nodes.
 */
export interface ListNodesRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
}
