// Generated from proto/agent.proto. Do not edit.

import type { NodeStatusInput as _highwater_v1_NodeStatusInput, NodeStatus as _highwater_v1_NodeStatus } from '../../highwater/v1/NodeStatus.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * The nodes of this host.
 */
export interface ListNodesResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * By id.
   */
  'nodes'?: (_highwater_v1_NodeStatusInput)[];
}

/**
 * The nodes of this host.
 */
export interface ListNodesResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * By id.
   */
  'nodes': (_highwater_v1_NodeStatus)[];
}
