// Generated from proto/broker.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * Asks for the cluster as this broker knows it.
 */
export interface MetadataRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * All topics; then `topics` is ignored.
   */
  'allTopics'?: (boolean);
  /**
   * Topic names.
   */
  'topics'?: (string)[];
  /**
   * Create unknown topics if auto.create.topics.enable is on (wire W-69).
   */
  'allowAutoTopicCreation'?: (boolean);
}

/**
 * Asks for the cluster as this broker knows it.
 */
export interface MetadataRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * All topics; then `topics` is ignored.
   */
  'allTopics': (boolean);
  /**
   * Topic names.
   */
  'topics': (string)[];
  /**
   * Create unknown topics if auto.create.topics.enable is on (wire W-69).
   */
  'allowAutoTopicCreation': (boolean);
}
