// Generated from proto/controller.proto. Do not edit.

import type { ErrorCodeInput as _highwater_v1_ErrorCodeInput, ErrorCode as _highwater_v1_ErrorCode } from '../../highwater/v1/ErrorCode.ts';

/**
 * What became of one proposal.
 */
export interface AlteredPartitionInput {
  /**
   * Topic id.
   */
  'topicId'?: (string);
  /**
   * Partition index.
   */
  'partition'?: (number);
  /**
   * Error.
   */
  'error'?: (_highwater_v1_ErrorCodeInput);
  /**
   * State after the change.
   */
  'leader'?: (number);
  /**
   * Leader epoch after the change.
   */
  'leaderEpoch'?: (number);
  /**
   * ISR after the change.
   */
  'isr'?: (number)[];
  /**
   * Partition epoch after the change.
   */
  'partitionEpoch'?: (number);
  /**
   * "RECOVERED" or "RECOVERING".
   */
  'leaderRecoveryState'?: (string);
}

/**
 * What became of one proposal.
 */
export interface AlteredPartition {
  /**
   * Topic id.
   */
  'topicId': (string);
  /**
   * Partition index.
   */
  'partition': (number);
  /**
   * Error.
   */
  'error': (_highwater_v1_ErrorCode);
  /**
   * State after the change.
   */
  'leader': (number);
  /**
   * Leader epoch after the change.
   */
  'leaderEpoch': (number);
  /**
   * ISR after the change.
   */
  'isr': (number)[];
  /**
   * Partition epoch after the change.
   */
  'partitionEpoch': (number);
  /**
   * "RECOVERED" or "RECOVERING".
   */
  'leaderRecoveryState': (string);
}
