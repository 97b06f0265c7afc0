// Generated from proto/faults.proto. Do not edit.

import type { FaultStatusInput as _highwater_v1_FaultStatusInput, FaultStatus as _highwater_v1_FaultStatus } from '../../highwater/v1/FaultStatus.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * The armed faults of one node.
 */
export interface ListFaultsResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Faults.
   */
  'faults'?: (_highwater_v1_FaultStatusInput)[];
  /**
   * Nodes that this node does not send to (cut links).
   */
  'cutTo'?: (number)[];
  /**
   * Safeguards that are switched off.
   */
  'safeguardsOff'?: (string)[];
}

/**
 * The armed faults of one node.
 */
export interface ListFaultsResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Faults.
   */
  'faults': (_highwater_v1_FaultStatus)[];
  /**
   * Nodes that this node does not send to (cut links).
   */
  'cutTo': (number)[];
  /**
   * Safeguards that are switched off.
   */
  'safeguardsOff': (string)[];
}
