// Generated from proto/events.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * Status of a node.
 */
export interface NodeStatusResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Node id.
   */
  'id'?: (number);
  /**
   * "broker" or "controller".
   */
  'role'?: (string);
  /**
   * Brokers: "STARTING", "RECOVERY", "RUNNING", "PENDING_CONTROLLED_SHUTDOWN", "SHUTTING_DOWN" (repl R-89). Controller: "RUNNING".
   */
  'state'?: (string);
  /**
   * Cluster id, empty until known.
   */
  'clusterId'?: (string);
  /**
   * Broker epoch, -1 until registered; controllers: their process epoch.
   */
  'epoch'?: (number | string | Long);
  /**
   * Metadata offset applied in full, exclusive.
   */
  'metadataOffset'?: (number | string | Long);
}

/**
 * Status of a node.
 */
export interface NodeStatusResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Node id.
   */
  'id': (number);
  /**
   * "broker" or "controller".
   */
  'role': (string);
  /**
   * Brokers: "STARTING", "RECOVERY", "RUNNING", "PENDING_CONTROLLED_SHUTDOWN", "SHUTTING_DOWN" (repl R-89). Controller: "RUNNING".
   */
  'state': (string);
  /**
   * Cluster id, empty until known.
   */
  'clusterId': (string);
  /**
   * Broker epoch, -1 until registered; controllers: their process epoch.
   */
  'epoch': (number);
  /**
   * Metadata offset applied in full, exclusive.
   */
  'metadataOffset': (number);
}
