// Generated from proto/controller.proto. Do not edit.

import type { ErrorCodeInput as _highwater_v1_ErrorCodeInput, ErrorCode as _highwater_v1_ErrorCode } from '../../highwater/v1/ErrorCode.ts';
import type { AlteredPartitionInput as _highwater_v1_AlteredPartitionInput, AlteredPartition as _highwater_v1_AlteredPartition } from '../../highwater/v1/AlteredPartition.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Answer to AlterPartition.
 */
export interface AlterPartitionResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Error of the whole request.
   */
  'error'?: (_highwater_v1_ErrorCodeInput);
  /**
   * In request order.
   */
  'partitions'?: (_highwater_v1_AlteredPartitionInput)[];
}

/**
 * Answer to AlterPartition.
 */
export interface AlterPartitionResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Error of the whole request.
   */
  'error': (_highwater_v1_ErrorCode);
  /**
   * In request order.
   */
  'partitions': (_highwater_v1_AlteredPartition)[];
}
