// Generated from proto/controller.proto. Do not edit.

import type { ErrorCodeInput as _highwater_v1_ErrorCodeInput, ErrorCode as _highwater_v1_ErrorCode } from '../../highwater/v1/ErrorCode.ts';

/**
 * What became of one.
 */
export interface AlteredReassignmentInput {
  /**
   * Topic name.
   */
  'topic'?: (string);
  /**
   * Partition index.
   */
  'partition'?: (number);
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
 * What became of one.
 */
export interface AlteredReassignment {
  /**
   * Topic name.
   */
  'topic': (string);
  /**
   * Partition index.
   */
  'partition': (number);
  /**
   * Error.
   */
  'error': (_highwater_v1_ErrorCode);
  /**
   * A sentence for people; empty if none.
   */
  'errorMessage': (string);
}
