// Generated from proto/common.proto. Do not edit.

import type { RegisterBrokerRecordInput as _highwater_v1_RegisterBrokerRecordInput, RegisterBrokerRecord as _highwater_v1_RegisterBrokerRecord } from '../../highwater/v1/RegisterBrokerRecord.ts';
import type { BrokerRegistrationChangeRecordInput as _highwater_v1_BrokerRegistrationChangeRecordInput, BrokerRegistrationChangeRecord as _highwater_v1_BrokerRegistrationChangeRecord } from '../../highwater/v1/BrokerRegistrationChangeRecord.ts';
import type { TopicRecordInput as _highwater_v1_TopicRecordInput, TopicRecord as _highwater_v1_TopicRecord } from '../../highwater/v1/TopicRecord.ts';
import type { RemoveTopicRecordInput as _highwater_v1_RemoveTopicRecordInput, RemoveTopicRecord as _highwater_v1_RemoveTopicRecord } from '../../highwater/v1/RemoveTopicRecord.ts';
import type { PartitionRecordInput as _highwater_v1_PartitionRecordInput, PartitionRecord as _highwater_v1_PartitionRecord } from '../../highwater/v1/PartitionRecord.ts';
import type { PartitionChangeRecordInput as _highwater_v1_PartitionChangeRecordInput, PartitionChangeRecord as _highwater_v1_PartitionChangeRecord } from '../../highwater/v1/PartitionChangeRecord.ts';
import type { ConfigRecordInput as _highwater_v1_ConfigRecordInput, ConfigRecord as _highwater_v1_ConfigRecord } from '../../highwater/v1/ConfigRecord.ts';
import type { FeatureLevelRecordInput as _highwater_v1_FeatureLevelRecordInput, FeatureLevelRecord as _highwater_v1_FeatureLevelRecord } from '../../highwater/v1/FeatureLevelRecord.ts';
import type { ProducerIdsRecordInput as _highwater_v1_ProducerIdsRecordInput, ProducerIdsRecord as _highwater_v1_ProducerIdsRecord } from '../../highwater/v1/ProducerIdsRecord.ts';
import type { ClusterRecordInput as _highwater_v1_ClusterRecordInput, ClusterRecord as _highwater_v1_ClusterRecord } from '../../highwater/v1/ClusterRecord.ts';
import type { ClearElrRecordInput as _highwater_v1_ClearElrRecordInput, ClearElrRecord as _highwater_v1_ClearElrRecord } from '../../highwater/v1/ClearElrRecord.ts';
import type { UnregisterBrokerRecordInput as _highwater_v1_UnregisterBrokerRecordInput, UnregisterBrokerRecord as _highwater_v1_UnregisterBrokerRecord } from '../../highwater/v1/UnregisterBrokerRecord.ts';

/**
 * One record of the metadata log (repl R-84). Exactly one field is set.
 */
export interface MetadataRecordInput {
  /**
   * A broker process registered (repl R-87).
   */
  'registerBroker'?: (_highwater_v1_RegisterBrokerRecordInput | null);
  /**
   * A broker was fenced, unfenced, or entered controlled shutdown.
   */
  'brokerRegistrationChange'?: (_highwater_v1_BrokerRegistrationChangeRecordInput | null);
  /**
   * A topic was created.
   */
  'topic'?: (_highwater_v1_TopicRecordInput | null);
  /**
   * A topic was deleted.
   */
  'removeTopic'?: (_highwater_v1_RemoveTopicRecordInput | null);
  /**
   * A partition was created: its full state.
   */
  'partition'?: (_highwater_v1_PartitionRecordInput | null);
  /**
   * A partition changed: only what changed (repl R-85).
   */
  'partitionChange'?: (_highwater_v1_PartitionChangeRecordInput | null);
  /**
   * A configuration value of a topic was set.
   */
  'config'?: (_highwater_v1_ConfigRecordInput | null);
  /**
   * A feature level was set, such as eligible.leader.replicas.version.
   */
  'featureLevel'?: (_highwater_v1_FeatureLevelRecordInput | null);
  /**
   * A block of producer ids was handed out.
   */
  'producerIds'?: (_highwater_v1_ProducerIdsRecordInput | null);
  /**
   * The cluster's identity; the first record of every metadata log.
   */
  'cluster'?: (_highwater_v1_ClusterRecordInput | null);
  /**
   * Eligible leader replicas of a topic, or of all, were forgotten (repl R-119).
   */
  'clearElr'?: (_highwater_v1_ClearElrRecordInput | null);
  /**
   * A broker was forgotten for good (repl R-119).
   */
  'unregisterBroker'?: (_highwater_v1_UnregisterBrokerRecordInput | null);
  'record'?: "registerBroker"|"brokerRegistrationChange"|"topic"|"removeTopic"|"partition"|"partitionChange"|"config"|"featureLevel"|"producerIds"|"cluster"|"clearElr"|"unregisterBroker";
}

/**
 * One record of the metadata log (repl R-84). Exactly one field is set.
 */
export interface MetadataRecord {
  /**
   * A broker process registered (repl R-87).
   */
  'registerBroker'?: (_highwater_v1_RegisterBrokerRecord | null);
  /**
   * A broker was fenced, unfenced, or entered controlled shutdown.
   */
  'brokerRegistrationChange'?: (_highwater_v1_BrokerRegistrationChangeRecord | null);
  /**
   * A topic was created.
   */
  'topic'?: (_highwater_v1_TopicRecord | null);
  /**
   * A topic was deleted.
   */
  'removeTopic'?: (_highwater_v1_RemoveTopicRecord | null);
  /**
   * A partition was created: its full state.
   */
  'partition'?: (_highwater_v1_PartitionRecord | null);
  /**
   * A partition changed: only what changed (repl R-85).
   */
  'partitionChange'?: (_highwater_v1_PartitionChangeRecord | null);
  /**
   * A configuration value of a topic was set.
   */
  'config'?: (_highwater_v1_ConfigRecord | null);
  /**
   * A feature level was set, such as eligible.leader.replicas.version.
   */
  'featureLevel'?: (_highwater_v1_FeatureLevelRecord | null);
  /**
   * A block of producer ids was handed out.
   */
  'producerIds'?: (_highwater_v1_ProducerIdsRecord | null);
  /**
   * The cluster's identity; the first record of every metadata log.
   */
  'cluster'?: (_highwater_v1_ClusterRecord | null);
  /**
   * Eligible leader replicas of a topic, or of all, were forgotten (repl R-119).
   */
  'clearElr'?: (_highwater_v1_ClearElrRecord | null);
  /**
   * A broker was forgotten for good (repl R-119).
   */
  'unregisterBroker'?: (_highwater_v1_UnregisterBrokerRecord | null);
  'record'?: "registerBroker"|"brokerRegistrationChange"|"topic"|"removeTopic"|"partition"|"partitionChange"|"config"|"featureLevel"|"producerIds"|"cluster"|"clearElr"|"unregisterBroker";
}
