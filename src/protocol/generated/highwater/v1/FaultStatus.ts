// Generated from proto/faults.proto. Do not edit.

import type { FaultSpecInput as _highwater_v1_FaultSpecInput, FaultSpec as _highwater_v1_FaultSpec } from '../../highwater/v1/FaultSpec.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * A fault and what it has done on this node.
 */
export interface FaultStatusInput {
  /**
   * The fault.
   */
  'fault'?: (_highwater_v1_FaultSpecInput | null);
  /**
   * How often its point was reached.
   */
  'hits'?: (number | string | Long);
  /**
   * How often all conditions held.
   */
  'matches'?: (number | string | Long);
  /**
   * How often its action was carried out.
   */
  'firings'?: (number | string | Long);
  /**
   * Flows it holds right now.
   */
  'holding'?: (number | string | Long);
  /**
   * Why it did not strike, nearest first: at most three sentences, each with a count.
   */
  'nearMisses'?: (string)[];
}

/**
 * A fault and what it has done on this node.
 */
export interface FaultStatus {
  /**
   * The fault.
   */
  'fault': (_highwater_v1_FaultSpec | null);
  /**
   * How often its point was reached.
   */
  'hits': (number);
  /**
   * How often all conditions held.
   */
  'matches': (number);
  /**
   * How often its action was carried out.
   */
  'firings': (number);
  /**
   * Flows it holds right now.
   */
  'holding': (number);
  /**
   * Why it did not strike, nearest first: at most three sentences, each with a count.
   */
  'nearMisses': (string)[];
}
