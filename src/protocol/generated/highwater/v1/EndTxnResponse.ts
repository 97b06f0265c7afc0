// Generated from proto/transaction.proto. Do not edit.

import type { ErrorCodeInput as _highwater_v1_ErrorCodeInput, ErrorCode as _highwater_v1_ErrorCode } from '../../highwater/v1/ErrorCode.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Answer to it: the decision is durable.
 */
export interface EndTxnResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Error.
   */
  'error'?: (_highwater_v1_ErrorCodeInput);
  /**
   * Identity to go on with under transaction.version 2; -1 otherwise and on error.
   */
  'producerId'?: (number | string | Long);
  /**
   * Its epoch; -1 likewise.
   */
  'producerEpoch'?: (number);
}

/**
 * Answer to it: the decision is durable.
 */
export interface EndTxnResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Error.
   */
  'error': (_highwater_v1_ErrorCode);
  /**
   * Identity to go on with under transaction.version 2; -1 otherwise and on error.
   */
  'producerId': (number);
  /**
   * Its epoch; -1 likewise.
   */
  'producerEpoch': (number);
}
