// Generated from proto/controller.proto. Do not edit.

import type { ErrorCodeInput as _highwater_v1_ErrorCodeInput, ErrorCode as _highwater_v1_ErrorCode } from '../../highwater/v1/ErrorCode.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Answer to UnregisterBroker.
 */
export interface UnregisterBrokerResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Error.
   */
  'error'?: (_highwater_v1_ErrorCodeInput);
  /**
   * A sentence for people; empty if none.
   */
  'errorMessage'?: (string);
}

/**
 * Answer to UnregisterBroker.
 */
export interface UnregisterBrokerResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Error.
   */
  'error': (_highwater_v1_ErrorCode);
  /**
   * A sentence for people; empty if none.
   */
  'errorMessage': (string);
}
