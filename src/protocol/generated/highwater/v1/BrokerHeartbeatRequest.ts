// Generated from proto/controller.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * Sign of life of a broker.
 */
export interface BrokerHeartbeatRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Broker id.
   */
  'brokerId'?: (number);
  /**
   * Its epoch.
   */
  'brokerEpoch'?: (number | string | Long);
  /**
   * Metadata log offset applied in full, exclusive.
   */
  'currentMetadataOffset'?: (number | string | Long);
  /**
   * Wants to be (or stay) fenced.
   */
  'wantFence'?: (boolean);
  /**
   * Wants to shut down.
   */
  'wantShutDown'?: (boolean);
}

/**
 * Sign of life of a broker.
 */
export interface BrokerHeartbeatRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Broker id.
   */
  'brokerId': (number);
  /**
   * Its epoch.
   */
  'brokerEpoch': (number);
  /**
   * Metadata log offset applied in full, exclusive.
   */
  'currentMetadataOffset': (number);
  /**
   * Wants to be (or stay) fenced.
   */
  'wantFence': (boolean);
  /**
   * Wants to shut down.
   */
  'wantShutDown': (boolean);
}
