// Generated from proto/broker.proto. Do not edit.

import type { BrokerDescriptionInput as _highwater_v1_BrokerDescriptionInput, BrokerDescription as _highwater_v1_BrokerDescription } from '../../highwater/v1/BrokerDescription.ts';
import type { TopicDescriptionInput as _highwater_v1_TopicDescriptionInput, TopicDescription as _highwater_v1_TopicDescription } from '../../highwater/v1/TopicDescription.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * The cluster as one broker knows it.
 */
export interface MetadataResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Cluster id.
   */
  'clusterId'?: (string);
  /**
   * Live (unfenced) brokers.
   */
  'brokers'?: (_highwater_v1_BrokerDescriptionInput)[];
  /**
   * Topics asked for.
   */
  'topics'?: (_highwater_v1_TopicDescriptionInput)[];
  /**
   * Metadata log offset this answer is based on, exclusive.
   */
  'metadataOffset'?: (number | string | Long);
  /**
   * Finalized level of the feature transaction.version (txn T-191).
   */
  'transactionVersion'?: (number);
}

/**
 * The cluster as one broker knows it.
 */
export interface MetadataResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Cluster id.
   */
  'clusterId': (string);
  /**
   * Live (unfenced) brokers.
   */
  'brokers': (_highwater_v1_BrokerDescription)[];
  /**
   * Topics asked for.
   */
  'topics': (_highwater_v1_TopicDescription)[];
  /**
   * Metadata log offset this answer is based on, exclusive.
   */
  'metadataOffset': (number);
  /**
   * Finalized level of the feature transaction.version (txn T-191).
   */
  'transactionVersion': (number);
}
