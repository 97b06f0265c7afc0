// Generated from proto/group.proto. Do not edit.

import type { ErrorCodeInput as _highwater_v1_ErrorCodeInput, ErrorCode as _highwater_v1_ErrorCode } from '../../highwater/v1/ErrorCode.ts';
import type { CommittedOffsetInput as _highwater_v1_CommittedOffsetInput, CommittedOffset as _highwater_v1_CommittedOffset } from '../../highwater/v1/CommittedOffset.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Answer to it.
 */
export interface OffsetFetchResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Error of the whole request.
   */
  'error'?: (_highwater_v1_ErrorCodeInput);
  /**
   * In request order, or by topic and partition.
   */
  'partitions'?: (_highwater_v1_CommittedOffsetInput)[];
}

/**
 * Answer to it.
 */
export interface OffsetFetchResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Error of the whole request.
   */
  'error': (_highwater_v1_ErrorCode);
  /**
   * In request order, or by topic and partition.
   */
  'partitions': (_highwater_v1_CommittedOffset)[];
}
