// Generated from proto/controller.proto. Do not edit.

import type { ErrorCodeInput as _highwater_v1_ErrorCodeInput, ErrorCode as _highwater_v1_ErrorCode } from '../../highwater/v1/ErrorCode.ts';
import type { ConfigEntryInput as _highwater_v1_ConfigEntryInput, ConfigEntry as _highwater_v1_ConfigEntry } from '../../highwater/v1/ConfigEntry.ts';

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
  /**
   * Its own settings, as they stand in the metadata log.
   */
  'configs'?: (_highwater_v1_ConfigEntryInput)[];
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
  /**
   * Its own settings, as they stand in the metadata log.
   */
  'configs': (_highwater_v1_ConfigEntry)[];
}
