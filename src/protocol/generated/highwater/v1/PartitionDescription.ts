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
}
