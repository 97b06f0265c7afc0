// Generated from proto/controller.proto. Do not edit.

import type { ErrorCodeInput as _highwater_v1_ErrorCodeInput, ErrorCode as _highwater_v1_ErrorCode } from '../../highwater/v1/ErrorCode.ts';

/**
 * What became of one election.
 */
export interface ElectionResultInput {
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
   * A sentence for people.
   */
  'errorMessage'?: (string);
  /**
   * Leader after the election.
   */
  'leader'?: (number);
  /**
   * Leader epoch after the election.
   */
  'leaderEpoch'?: (number);
}

/**
 * What became of one election.
 */
export interface ElectionResult {
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
   * A sentence for people.
   */
  'errorMessage': (string);
  /**
   * Leader after the election.
   */
  'leader': (number);
  /**
   * Leader epoch after the election.
   */
  'leaderEpoch': (number);
}
