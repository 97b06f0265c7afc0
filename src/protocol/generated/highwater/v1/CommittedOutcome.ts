// Generated from proto/group.proto. Do not edit.

import type { ErrorCodeInput as _highwater_v1_ErrorCodeInput, ErrorCode as _highwater_v1_ErrorCode } from '../../highwater/v1/ErrorCode.ts';

/**
 * An answer for one partition.
 */
export interface CommittedOutcomeInput {
  /**
   * Topic name.
   */
  'topic'?: (string);
  /**
   * Partition index.
   */
  'partition'?: (number);
  /**
   * Its error.
   */
  'error'?: (_highwater_v1_ErrorCodeInput);
}

/**
 * An answer for one partition.
 */
export interface CommittedOutcome {
  /**
   * Topic name.
   */
  'topic': (string);
  /**
   * Partition index.
   */
  'partition': (number);
  /**
   * Its error.
   */
  'error': (_highwater_v1_ErrorCode);
}
