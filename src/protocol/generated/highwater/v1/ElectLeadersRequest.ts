// Generated from proto/controller.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * Elections asked for.
 */
export interface ElectLeadersRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * "PREFERRED", "UNCLEAN" or "TO" (to a given node: ours, see docs/divergence.md).
   */
  'type'?: (string);
  /**
   * Topic name.
   */
  'topic'?: (string);
  /**
   * Partition index, -1 for all of the topic.
   */
  'partition'?: (number);
  /**
   * TO: the node to elect. -1 otherwise.
   */
  'to'?: (number);
}

/**
 * Elections asked for.
 */
export interface ElectLeadersRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * "PREFERRED", "UNCLEAN" or "TO" (to a given node: ours, see docs/divergence.md).
   */
  'type': (string);
  /**
   * Topic name.
   */
  'topic': (string);
  /**
   * Partition index, -1 for all of the topic.
   */
  'partition': (number);
  /**
   * TO: the node to elect. -1 otherwise.
   */
  'to': (number);
}
