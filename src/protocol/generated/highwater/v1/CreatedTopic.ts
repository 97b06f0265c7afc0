// Generated from proto/controller.proto. Do not edit.

import type { ErrorCodeInput as _highwater_v1_ErrorCodeInput, ErrorCode as _highwater_v1_ErrorCode } from '../../highwater/v1/ErrorCode.ts';

/**
 * What became of one topic.
 */
export interface CreatedTopicInput {
  /**
   * Name.
   */
  'name'?: (string);
  /**
   * Topic id if created.
   */
  'topicId'?: (string);
  /**
   * Error.
   */
  'error'?: (_highwater_v1_ErrorCodeInput);
  /**
   * A sentence for people; empty if none.
   */
  'errorMessage'?: (string);
  /**
   * Number of partitions.
   */
  'numPartitions'?: (number);
  /**
   * Replication factor.
   */
  'replicationFactor'?: (number);
  /**
   * Notes, such as min.insync.replicas above the replication factor.
   */
  'warnings'?: (string)[];
}

/**
 * What became of one topic.
 */
export interface CreatedTopic {
  /**
   * Name.
   */
  'name': (string);
  /**
   * Topic id if created.
   */
  'topicId': (string);
  /**
   * Error.
   */
  'error': (_highwater_v1_ErrorCode);
  /**
   * A sentence for people; empty if none.
   */
  'errorMessage': (string);
  /**
   * Number of partitions.
   */
  'numPartitions': (number);
  /**
   * Replication factor.
   */
  'replicationFactor': (number);
  /**
   * Notes, such as min.insync.replicas above the replication factor.
   */
  'warnings': (string)[];
}
