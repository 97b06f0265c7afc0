// Generated from proto/common.proto. Do not edit.

import type { BrokerIdsInput as _highwater_v1_BrokerIdsInput, BrokerIds as _highwater_v1_BrokerIds } from '../../highwater/v1/BrokerIds.ts';

/**
 * What changed of a partition. partitionEpoch rises by 1; leaderEpoch by 1 if `has_leader` (repl R-85).
 */
export interface PartitionChangeRecordInput {
  /**
   * Which topic.
   */
  'topicId'?: (string);
  /**
   * Partition index.
   */
  'partition'?: (number);
  /**
   * New in-sync replicas; absent: unchanged.
   */
  'isr'?: (_highwater_v1_BrokerIdsInput | null);
  /**
   * Whether this record carries a leader, even the same one.
   */
  'hasLeader'?: (boolean);
  /**
   * The new leader, -1 for none. Meaningless unless has_leader.
   */
  'leader'?: (number);
  /**
   * "" (unchanged), "RECOVERED" or "RECOVERING" (repl R-97).
   */
  'leaderRecoveryState'?: (string);
  /**
   * Why: "isr-expand", "isr-shrink", "recovered", "fenced", "unfenced", "registered", "controlled-shutdown", "preferred", "unclean", "last-known", "clean", "elect-to", "reassigned", "reassignment-cancelled", "unregistered", "reconfigured".
   */
  'reason'?: (string);
  /**
   * New eligible leader replicas; absent: unchanged (repl R-98).
   */
  'elr'?: (_highwater_v1_BrokerIdsInput | null);
  /**
   * The leader that was last in office while there is none; absent: unchanged (repl R-98).
   */
  'lastKnownElr'?: (_highwater_v1_BrokerIdsInput | null);
  /**
   * New replica list; absent: unchanged (repl R-107).
   */
  'replicas'?: (_highwater_v1_BrokerIdsInput | null);
  /**
   * Of these, the ones that a reassignment adds; absent: unchanged.
   */
  'addingReplicas'?: (_highwater_v1_BrokerIdsInput | null);
  /**
   * Of these, the ones that a reassignment removes; absent: unchanged.
   */
  'removingReplicas'?: (_highwater_v1_BrokerIdsInput | null);
}

/**
 * What changed of a partition. partitionEpoch rises by 1; leaderEpoch by 1 if `has_leader` (repl R-85).
 */
export interface PartitionChangeRecord {
  /**
   * Which topic.
   */
  'topicId': (string);
  /**
   * Partition index.
   */
  'partition': (number);
  /**
   * New in-sync replicas; absent: unchanged.
   */
  'isr': (_highwater_v1_BrokerIds | null);
  /**
   * Whether this record carries a leader, even the same one.
   */
  'hasLeader': (boolean);
  /**
   * The new leader, -1 for none. Meaningless unless has_leader.
   */
  'leader': (number);
  /**
   * "" (unchanged), "RECOVERED" or "RECOVERING" (repl R-97).
   */
  'leaderRecoveryState': (string);
  /**
   * Why: "isr-expand", "isr-shrink", "recovered", "fenced", "unfenced", "registered", "controlled-shutdown", "preferred", "unclean", "last-known", "clean", "elect-to", "reassigned", "reassignment-cancelled", "unregistered", "reconfigured".
   */
  'reason': (string);
  /**
   * New eligible leader replicas; absent: unchanged (repl R-98).
   */
  'elr': (_highwater_v1_BrokerIds | null);
  /**
   * The leader that was last in office while there is none; absent: unchanged (repl R-98).
   */
  'lastKnownElr': (_highwater_v1_BrokerIds | null);
  /**
   * New replica list; absent: unchanged (repl R-107).
   */
  'replicas': (_highwater_v1_BrokerIds | null);
  /**
   * Of these, the ones that a reassignment adds; absent: unchanged.
   */
  'addingReplicas': (_highwater_v1_BrokerIds | null);
  /**
   * Of these, the ones that a reassignment removes; absent: unchanged.
   */
  'removingReplicas': (_highwater_v1_BrokerIds | null);
}
