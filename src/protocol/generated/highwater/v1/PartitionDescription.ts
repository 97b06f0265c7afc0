// Generated from proto/broker.proto. Do not edit.

import type { ErrorCodeInput as _highwater_v1_ErrorCodeInput, ErrorCode as _highwater_v1_ErrorCode } from '../../highwater/v1/ErrorCode.ts';

/**
 * A partition as the metadata log has it.
 */
export interface PartitionDescriptionInput {
  /**
   * LEADER_NOT_AVAILABLE if there is no live leader.
   */
  'error'?: (_highwater_v1_ErrorCodeInput);
  /**
   * Index.
   */
  'partition'?: (number);
  /**
   * Leader, -1 none.
   */
  'leader'?: (number);
  /**
   * Leader epoch.
   */
  'leaderEpoch'?: (number);
  /**
   * Assigned brokers.
   */
  'replicas'?: (number)[];
  /**
   * In-sync replicas.
   */
  'isr'?: (number)[];
  /**
   * Replicas on fenced brokers.
   */
  'offlineReplicas'?: (number)[];
  /**
   * Partition epoch.
   */
  'partitionEpoch'?: (number);
  /**
   * "RECOVERED" or "RECOVERING".
   */
  'leaderRecoveryState'?: (string);
  /**
   * Replicas outside the ISR that hold everything committed (repl R-98).
   */
  'elr'?: (number)[];
  /**
   * While there is no leader, the one that was last in office (repl R-98).
   */
  'lastKnownElr'?: (number)[];
  /**
   * Of the assigned brokers, those that a reassignment adds (repl R-107).
   */
  'addingReplicas'?: (number)[];
  /**
   * Of the assigned brokers, those that a reassignment removes (repl R-107).
   */
  'removingReplicas'?: (number)[];
}

/**
 * A partition as the metadata log has it.
 */
export interface PartitionDescription {
  /**
   * LEADER_NOT_AVAILABLE if there is no live leader.
   */
  'error': (_highwater_v1_ErrorCode);
  /**
   * Index.
   */
  'partition': (number);
  /**
   * Leader, -1 none.
   */
  'leader': (number);
  /**
   * Leader epoch.
   */
  'leaderEpoch': (number);
  /**
   * Assigned brokers.
   */
  'replicas': (number)[];
  /**
   * In-sync replicas.
   */
  'isr': (number)[];
  /**
   * Replicas on fenced brokers.
   */
  'offlineReplicas': (number)[];
  /**
   * Partition epoch.
   */
  'partitionEpoch': (number);
  /**
   * "RECOVERED" or "RECOVERING".
   */
  'leaderRecoveryState': (string);
  /**
   * Replicas outside the ISR that hold everything committed (repl R-98).
   */
  'elr': (number)[];
  /**
   * While there is no leader, the one that was last in office (repl R-98).
   */
  'lastKnownElr': (number)[];
  /**
   * Of the assigned brokers, those that a reassignment adds (repl R-107).
   */
  'addingReplicas': (number)[];
  /**
   * Of the assigned brokers, those that a reassignment removes (repl R-107).
   */
  'removingReplicas': (number)[];
}
