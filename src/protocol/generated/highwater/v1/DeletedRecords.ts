// Generated from proto/broker.proto. Do not edit.

import type { ErrorCodeInput as _highwater_v1_ErrorCodeInput, ErrorCode as _highwater_v1_ErrorCode } from '../../highwater/v1/ErrorCode.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * One of them.
 */
export interface DeletedRecordsInput {
  /**
   * Topic name.
   */
  'topic'?: (string);
  /**
   * Partition index.
   */
  'partition'?: (number);
  /**
   * Error. The leader may have deleted them nevertheless.
   */
  'error'?: (_highwater_v1_ErrorCodeInput);
  /**
   * Smallest log start of the leader and its live followers; -1 on error.
   */
  'lowWatermark'?: (number | string | Long);
}

/**
 * One of them.
 */
export interface DeletedRecords {
  /**
   * Topic name.
   */
  'topic': (string);
  /**
   * Partition index.
   */
  'partition': (number);
  /**
   * Error. The leader may have deleted them nevertheless.
   */
  'error': (_highwater_v1_ErrorCode);
  /**
   * Smallest log start of the leader and its live followers; -1 on error.
   */
  'lowWatermark': (number);
}
