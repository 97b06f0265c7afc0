// Generated from proto/agent.proto. Do not edit.

import type { OutsideOfNodeInput as _highwater_v1_OutsideOfNodeInput, OutsideOfNode as _highwater_v1_OutsideOfNode } from '../../highwater/v1/OutsideOfNode.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Addresses that are known only after the agents have started: those of published ports.
 */
export interface AdvertiseRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Every node of the cluster.
   */
  'nodes'?: (_highwater_v1_OutsideOfNodeInput)[];
}

/**
 * Addresses that are known only after the agents have started: those of published ports.
 */
export interface AdvertiseRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Every node of the cluster.
   */
  'nodes': (_highwater_v1_OutsideOfNode)[];
}
