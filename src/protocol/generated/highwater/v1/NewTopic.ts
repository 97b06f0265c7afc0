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
  /**
   * Names of settings that came without a value, with commas between them.
   */
  'unsetConfigs'?: (string);
  /**
   * The manual placement does not name partitions 0, 1, 2 and so on, each once.
   */
  'misnumbered'?: (boolean);
  /**
   * What a client has asked for that cannot be said in the fields above: refused, in its turn (wire W-78).
   */
  'defect'?: "unsetConfigs"|"misnumbered";
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
  /**
   * Names of settings that came without a value, with commas between them.
   */
  'unsetConfigs'?: (string);
  /**
   * The manual placement does not name partitions 0, 1, 2 and so on, each once.
   */
  'misnumbered'?: (boolean);
  /**
   * What a client has asked for that cannot be said in the fields above: refused, in its turn (wire W-78).
   */
  'defect'?: "unsetConfigs"|"misnumbered";
}
