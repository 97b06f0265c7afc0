// Generated from proto/agent.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * Starts a node.
 */
export interface StartNodeRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Node id.
   */
  'id'?: (number);
  /**
   * Start with an empty data directory.
   */
  'wipe'?: (boolean);
  /**
   * Emulate a power loss first: of each partition drop this many unflushed batches from the end; -1: all, 0: none.
   */
  'truncateTail'?: (number);
}

/**
 * Starts a node.
 */
export interface StartNodeRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Node id.
   */
  'id': (number);
  /**
   * Start with an empty data directory.
   */
  'wipe': (boolean);
  /**
   * Emulate a power loss first: of each partition drop this many unflushed batches from the end; -1: all, 0: none.
   */
  'truncateTail': (number);
}
