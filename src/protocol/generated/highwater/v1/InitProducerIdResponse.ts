// Generated from proto/broker.proto. Do not edit.

import type { ErrorCodeInput as _highwater_v1_ErrorCodeInput, ErrorCode as _highwater_v1_ErrorCode } from '../../highwater/v1/ErrorCode.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * The identity to use.
 */
export interface InitProducerIdResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Error.
   */
  'error'?: (_highwater_v1_ErrorCodeInput);
  /**
   * Producer id; -1 on error.
   */
  'producerId'?: (number | string | Long);
  /**
   * Its epoch; -1 on error.
   */
  'producerEpoch'?: (number);
}

/**
 * The identity to use.
 */
export interface InitProducerIdResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Error.
   */
  'error': (_highwater_v1_ErrorCode);
  /**
   * Producer id; -1 on error.
   */
  'producerId': (number);
  /**
   * Its epoch; -1 on error.
   */
  'producerEpoch': (number);
}
