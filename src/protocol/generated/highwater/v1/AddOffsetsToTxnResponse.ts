// Generated from proto/transaction.proto. Do not edit.

import type { ErrorCodeInput as _highwater_v1_ErrorCodeInput, ErrorCode as _highwater_v1_ErrorCode } from '../../highwater/v1/ErrorCode.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Answer to it.
 */
export interface AddOffsetsToTxnResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Error.
   */
  'error'?: (_highwater_v1_ErrorCodeInput);
}

/**
 * Answer to it.
 */
export interface AddOffsetsToTxnResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Error.
   */
  'error': (_highwater_v1_ErrorCode);
}
