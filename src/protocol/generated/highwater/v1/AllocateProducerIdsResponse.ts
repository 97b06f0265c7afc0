// Generated from proto/controller.proto. Do not edit.

import type { ErrorCodeInput as _highwater_v1_ErrorCodeInput, ErrorCode as _highwater_v1_ErrorCode } from '../../highwater/v1/ErrorCode.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * A block of producer ids that nobody else has or will get.
 */
export interface AllocateProducerIdsResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Error.
   */
  'error'?: (_highwater_v1_ErrorCodeInput);
  /**
   * First id of the block; -1 on error.
   */
  'producerIdStart'?: (number | string | Long);
  /**
   * Ids in the block; 0 on error.
   */
  'producerIdLen'?: (number);
}

/**
 * A block of producer ids that nobody else has or will get.
 */
export interface AllocateProducerIdsResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Error.
   */
  'error': (_highwater_v1_ErrorCode);
  /**
   * First id of the block; -1 on error.
   */
  'producerIdStart': (number);
  /**
   * Ids in the block; 0 on error.
   */
  'producerIdLen': (number);
}
