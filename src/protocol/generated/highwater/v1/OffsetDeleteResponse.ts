// Generated from proto/group.proto. Do not edit.

import type { ErrorCodeInput as _highwater_v1_ErrorCodeInput, ErrorCode as _highwater_v1_ErrorCode } from '../../highwater/v1/ErrorCode.ts';
import type { CommittedOutcomeInput as _highwater_v1_CommittedOutcomeInput, CommittedOutcome as _highwater_v1_CommittedOutcome } from '../../highwater/v1/CommittedOutcome.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Answer to it.
 */
export interface OffsetDeleteResponseInput {
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
  'partitions'?: (_highwater_v1_CommittedOutcomeInput)[];
}

/**
 * Answer to it.
 */
export interface OffsetDeleteResponse {
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
  'partitions': (_highwater_v1_CommittedOutcome)[];
}
