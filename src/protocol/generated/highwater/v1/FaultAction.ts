// Generated from proto/faults.proto. Do not edit.

import type { ErrorCodeInput as _highwater_v1_ErrorCodeInput, ErrorCode as _highwater_v1_ErrorCode } from '../../highwater/v1/ErrorCode.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * What a fault does when it strikes.
 */
export interface FaultActionInput {
  /**
   * kill, pause, hold, drop, delay, duplicate, reorder, disconnect, error, lose-response, notify, or one of the actions on another target.
   */
  'kind'?: (string);
  /**
   * Whom it strikes: "node" (the one at the point), a node id, or a selector such as leader(orders-0).
   */
  'target'?: (string);
  /**
   * delay: how long, ms. Other actions: how long the effect lasts, 0 for ever.
   */
  'durationMs'?: (number | string | Long);
  /**
   * error: the code to answer with.
   */
  'error'?: (_highwater_v1_ErrorCodeInput);
  /**
   * Act this much later and do not hold the flow, ms; 0 acts at once.
   */
  'laterMs'?: (number | string | Long);
}

/**
 * What a fault does when it strikes.
 */
export interface FaultAction {
  /**
   * kill, pause, hold, drop, delay, duplicate, reorder, disconnect, error, lose-response, notify, or one of the actions on another target.
   */
  'kind': (string);
  /**
   * Whom it strikes: "node" (the one at the point), a node id, or a selector such as leader(orders-0).
   */
  'target': (string);
  /**
   * delay: how long, ms. Other actions: how long the effect lasts, 0 for ever.
   */
  'durationMs': (number);
  /**
   * error: the code to answer with.
   */
  'error': (_highwater_v1_ErrorCode);
  /**
   * Act this much later and do not hold the flow, ms; 0 acts at once.
   */
  'laterMs': (number);
}
