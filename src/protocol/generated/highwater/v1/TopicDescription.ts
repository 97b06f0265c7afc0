// Generated from proto/broker.proto. Do not edit.

import type { ErrorCodeInput as _highwater_v1_ErrorCodeInput, ErrorCode as _highwater_v1_ErrorCode } from '../../highwater/v1/ErrorCode.ts';
import type { PartitionDescriptionInput as _highwater_v1_PartitionDescriptionInput, PartitionDescription as _highwater_v1_PartitionDescription } from '../../highwater/v1/PartitionDescription.ts';
import type { ConfigEntryInput as _highwater_v1_ConfigEntryInput, ConfigEntry as _highwater_v1_ConfigEntry } from '../../highwater/v1/ConfigEntry.ts';

/**
 * A topic and its partitions.
 */
export interface TopicDescriptionInput {
  /**
   * UNKNOWN_TOPIC_OR_PARTITION or INVALID_TOPIC_EXCEPTION if it is not there.
   */
  'error'?: (_highwater_v1_ErrorCodeInput);
  /**
   * Name.
   */
  'name'?: (string);
  /**
   * Topic id.
   */
  'topicId'?: (string);
  /**
   * Whether it belongs to the cluster itself.
   */
  'isInternal'?: (boolean);
  /**
   * Its partitions, by index.
   */
  'partitions'?: (_highwater_v1_PartitionDescriptionInput)[];
  /**
   * Topic-level configuration.
   */
  'configs'?: (_highwater_v1_ConfigEntryInput)[];
}

/**
 * A topic and its partitions.
 */
export interface TopicDescription {
  /**
   * UNKNOWN_TOPIC_OR_PARTITION or INVALID_TOPIC_EXCEPTION if it is not there.
   */
  'error': (_highwater_v1_ErrorCode);
  /**
   * Name.
   */
  'name': (string);
  /**
   * Topic id.
   */
  'topicId': (string);
  /**
   * Whether it belongs to the cluster itself.
   */
  'isInternal': (boolean);
  /**
   * Its partitions, by index.
   */
  'partitions': (_highwater_v1_PartitionDescription)[];
  /**
   * Topic-level configuration.
   */
  'configs': (_highwater_v1_ConfigEntry)[];
}
