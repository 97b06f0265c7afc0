// Generated from proto/controller.proto. Do not edit.

import type { BrokerDescriptionInput as _highwater_v1_BrokerDescriptionInput, BrokerDescription as _highwater_v1_BrokerDescription } from '../../highwater/v1/BrokerDescription.ts';
import type { TopicDescriptionInput as _highwater_v1_TopicDescriptionInput, TopicDescription as _highwater_v1_TopicDescription } from '../../highwater/v1/TopicDescription.ts';
import type { ConfigEntryInput as _highwater_v1_ConfigEntryInput, ConfigEntry as _highwater_v1_ConfigEntry } from '../../highwater/v1/ConfigEntry.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * The cluster as the controller has it.
 */
export interface DescribeClusterResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Cluster id.
   */
  'clusterId'?: (string);
  /**
   * All registered brokers, fenced ones included.
   */
  'brokers'?: (_highwater_v1_BrokerDescriptionInput)[];
  /**
   * All topics.
   */
  'topics'?: (_highwater_v1_TopicDescriptionInput)[];
  /**
   * End of the metadata log.
   */
  'metadataOffset'?: (number | string | Long);
  /**
   * Process epoch of the controller.
   */
  'controllerEpoch'?: (number | string | Long);
  /**
   * Feature levels, such as eligible.leader.replicas.version = 0.
   */
  'features'?: (_highwater_v1_ConfigEntryInput)[];
}

/**
 * The cluster as the controller has it.
 */
export interface DescribeClusterResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Cluster id.
   */
  'clusterId': (string);
  /**
   * All registered brokers, fenced ones included.
   */
  'brokers': (_highwater_v1_BrokerDescription)[];
  /**
   * All topics.
   */
  'topics': (_highwater_v1_TopicDescription)[];
  /**
   * End of the metadata log.
   */
  'metadataOffset': (number);
  /**
   * Process epoch of the controller.
   */
  'controllerEpoch': (number);
  /**
   * Feature levels, such as eligible.leader.replicas.version = 0.
   */
  'features': (_highwater_v1_ConfigEntry)[];
}
