// Generated from proto/agent.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * Names a node.
 */
export interface NodeRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Node id.
   */
  'id'?: (number);
  /**
   * Why: a fault id or "cli".
   */
  'cause'?: (string);
}

/**
 * Names a node.
 */
export interface NodeRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Node id.
   */
  'id': (number);
  /**
   * Why: a fault id or "cli".
   */
  'cause': (string);
}
