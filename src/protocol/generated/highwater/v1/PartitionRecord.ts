// Generated from proto/common.proto. Do not edit.


/**
 * The full state of a new partition. Leader epoch and partition epoch are 0.
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
}

/**
 * The full state of a new partition. Leader epoch and partition epoch are 0.
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
}
