// Generated from proto/transaction.proto. Do not edit.

import type { ErrorCodeInput as _highwater_v1_ErrorCodeInput, ErrorCode as _highwater_v1_ErrorCode } from '../../highwater/v1/ErrorCode.ts';

/**
 * One coordinator.
 */
export interface CoordinatorInput {
  /**
   * What it was asked for.
   */
  'key'?: (string);
  /**
   * COORDINATOR_NOT_AVAILABLE if there is none now.
   */
  'error'?: (_highwater_v1_ErrorCodeInput);
  /**
   * Its broker id; -1 on error.
   */
  'nodeId'?: (number);
  /**
   * Partition of the internal topic that the key belongs to.
   */
  'partition'?: (number);
}

/**
 * One coordinator.
 */
export interface Coordinator {
  /**
   * What it was asked for.
   */
  'key': (string);
  /**
   * COORDINATOR_NOT_AVAILABLE if there is none now.
   */
  'error': (_highwater_v1_ErrorCode);
  /**
   * Its broker id; -1 on error.
   */
  'nodeId': (number);
  /**
   * Partition of the internal topic that the key belongs to.
   */
  'partition': (number);
}
