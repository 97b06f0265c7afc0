// Generated from proto/controller.proto. Do not edit.

import type { BrokerIdsInput as _highwater_v1_BrokerIdsInput, BrokerIds as _highwater_v1_BrokerIds } from '../../highwater/v1/BrokerIds.ts';
import type { ConfigEntryInput as _highwater_v1_ConfigEntryInput, ConfigEntry as _highwater_v1_ConfigEntry } from '../../highwater/v1/ConfigEntry.ts';

/**
 * A topic to create.
 */
export interface NewTopicInput {
  /**
   * Name.
   */
  'name'?: (string);
  /**
   * Number of partitions, -1 for num.partitions.
   */
  'numPartitions'?: (number);
  /**
   * Replicas a partition, -1 for default.replication.factor.
   */
  'replicationFactor'?: (number);
  /**
   * Manual placement; then the two numbers are -1. Entry i is partition i.
   */
  'assignments'?: (_highwater_v1_BrokerIdsInput)[];
  /**
   * Topic configuration.
   */
  'configs'?: (_highwater_v1_ConfigEntryInput)[];
}

/**
 * A topic to create.
 */
export interface NewTopic {
  /**
   * Name.
   */
  'name': (string);
  /**
   * Number of partitions, -1 for num.partitions.
   */
  'numPartitions': (number);
  /**
   * Replicas a partition, -1 for default.replication.factor.
   */
  'replicationFactor': (number);
  /**
   * Manual placement; then the two numbers are -1. Entry i is partition i.
   */
  'assignments': (_highwater_v1_BrokerIds)[];
  /**
   * Topic configuration.
   */
  'configs': (_highwater_v1_ConfigEntry)[];
}
