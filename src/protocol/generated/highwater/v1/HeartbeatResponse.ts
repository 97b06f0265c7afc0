// Generated from proto/group.proto. Do not edit.

import type { ErrorCodeInput as _highwater_v1_ErrorCodeInput, ErrorCode as _highwater_v1_ErrorCode } from '../../highwater/v1/ErrorCode.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Whether it must join again.
 */
export interface HeartbeatResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * REBALANCE_IN_PROGRESS: join again.
   */
  'error'?: (_highwater_v1_ErrorCodeInput);
}

/**
 * Whether it must join again.
 */
export interface HeartbeatResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * REBALANCE_IN_PROGRESS: join again.
   */
  'error': (_highwater_v1_ErrorCode);
}
