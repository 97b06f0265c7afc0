// Generated from proto/agent.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * Ends the cluster.
 */
export interface ShutdownRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Longest time for the clean stop, ms; then SIGKILL.
   */
  'graceMs'?: (number | string | Long);
}

/**
 * Ends the cluster.
 */
export interface ShutdownRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Longest time for the clean stop, ms; then SIGKILL.
   */
  'graceMs': (number);
}
