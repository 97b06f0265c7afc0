// Generated from proto/group.proto. Do not edit.

import type { ErrorCodeInput as _highwater_v1_ErrorCodeInput, ErrorCode as _highwater_v1_ErrorCode } from '../../highwater/v1/ErrorCode.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * One committed offset.
 */
export interface CommittedOffsetInput {
  /**
   * Topic name.
   */
  'topic'?: (string);
  /**
   * Partition index.
   */
  'partition'?: (number);
  /**
   * -1: none.
   */
  'offset'?: (number | string | Long);
  /**
   * -1: unknown.
   */
  'leaderEpoch'?: (number);
  /**
   * Free text.
   */
  'metadata'?: (string);
  /**
   * Its error.
   */
  'error'?: (_highwater_v1_ErrorCodeInput);
}

/**
 * One committed offset.
 */
export interface CommittedOffset {
  /**
   * Topic name.
   */
  'topic': (string);
  /**
   * Partition index.
   */
  'partition': (number);
  /**
   * -1: none.
   */
  'offset': (number);
  /**
   * -1: unknown.
   */
  'leaderEpoch': (number);
  /**
   * Free text.
   */
  'metadata': (string);
  /**
   * Its error.
   */
  'error': (_highwater_v1_ErrorCode);
}
