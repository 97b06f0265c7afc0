// Generated from proto/faults.proto. Do not edit.

import type { FaultStatusInput as _highwater_v1_FaultStatusInput, FaultStatus as _highwater_v1_FaultStatus } from '../../highwater/v1/FaultStatus.ts';
import type { CutLinkInput as _highwater_v1_CutLinkInput, CutLink as _highwater_v1_CutLink } from '../../highwater/v1/CutLink.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * The armed faults of one node, or of all nodes that an agent answers for.
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
   * A node: those that it does not send to (cut links).
   */
  'cutTo'?: (number)[];
  /**
   * Safeguards that are switched off.
   */
  'safeguardsOff'?: (string)[];
  /**
   * An agent: the cut links of the whole cluster.
   */
  'cuts'?: (_highwater_v1_CutLinkInput)[];
}

/**
 * The armed faults of one node, or of all nodes that an agent answers for.
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
   * A node: those that it does not send to (cut links).
   */
  'cutTo': (number)[];
  /**
   * Safeguards that are switched off.
   */
  'safeguardsOff': (string)[];
  /**
   * An agent: the cut links of the whole cluster.
   */
  'cuts': (_highwater_v1_CutLink)[];
}
