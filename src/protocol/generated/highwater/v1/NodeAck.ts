// Generated from proto/agent.proto. Do not edit.

import type { NodeStatusInput as _highwater_v1_NodeStatusInput, NodeStatus as _highwater_v1_NodeStatus } from '../../highwater/v1/NodeStatus.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Answer to a command on a node.
 */
export interface NodeAckInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Empty if done, else a sentence that says why not.
   */
  'refused'?: (string);
  /**
   * The node after the command.
   */
  'node'?: (_highwater_v1_NodeStatusInput | null);
}

/**
 * Answer to a command on a node.
 */
export interface NodeAck {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Empty if done, else a sentence that says why not.
   */
  'refused': (string);
  /**
   * The node after the command.
   */
  'node': (_highwater_v1_NodeStatus | null);
}
