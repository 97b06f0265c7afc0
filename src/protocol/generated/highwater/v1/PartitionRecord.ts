// Generated from proto/common.proto. Do not edit.


/**
 * The full state of a partition: of a new one, in epochs 0, or in a snapshot.
 */
export interface PartitionRecordInput {
  /**
   * Which topic.
   */
  'topicId'?: (string);
  /**
   * Partition index, from 0.
   */
  'partition'?: (number);
  /**
   * Broker ids; the first one is the preferred leader.
   */
  'replicas'?: (number)[];
  /**
   * In-sync replicas at creation: the active ones.
   */
  'isr'?: (number)[];
  /**
   * Leader at creation.
   */
  'leader'?: (number);
  /**
   * In a snapshot: the leader epoch.
   */
  'leaderEpoch'?: (number);
  /**
   * In a snapshot: the partition epoch.
   */
  'partitionEpoch'?: (number);
  /**
   * In a snapshot: "RECOVERED" or "RECOVERING"; empty means RECOVERED.
   */
  'leaderRecoveryState'?: (string);
  /**
   * In a snapshot: replicas that a reassignment adds (repl R-107).
   */
  'addingReplicas'?: (number)[];
  /**
   * In a snapshot: replicas that a reassignment removes (repl R-107).
   */
  'removingReplicas'?: (number)[];
  /**
   * In a snapshot: eligible leader replicas (repl R-98).
   */
  'elr'?: (number)[];
  /**
   * In a snapshot: the leader that was last in office (repl R-98).
   */
  'lastKnownElr'?: (number)[];
}

/**
 * The full state of a partition: of a new one, in epochs 0, or in a snapshot.
 */
export interface PartitionRecord {
  /**
   * Which topic.
   */
  'topicId': (string);
  /**
   * Partition index, from 0.
   */
  'partition': (number);
  /**
   * Broker ids; the first one is the preferred leader.
   */
  'replicas': (number)[];
  /**
   * In-sync replicas at creation: the active ones.
   */
  'isr': (number)[];
  /**
   * Leader at creation.
   */
  'leader': (number);
  /**
   * In a snapshot: the leader epoch.
   */
  'leaderEpoch': (number);
  /**
   * In a snapshot: the partition epoch.
   */
  'partitionEpoch': (number);
  /**
   * In a snapshot: "RECOVERED" or "RECOVERING"; empty means RECOVERED.
   */
  'leaderRecoveryState': (string);
  /**
   * In a snapshot: replicas that a reassignment adds (repl R-107).
   */
  'addingReplicas': (number)[];
  /**
   * In a snapshot: replicas that a reassignment removes (repl R-107).
   */
  'removingReplicas': (number)[];
  /**
   * In a snapshot: eligible leader replicas (repl R-98).
   */
  'elr': (number)[];
  /**
   * In a snapshot: the leader that was last in office (repl R-98).
   */
  'lastKnownElr': (number)[];
}
