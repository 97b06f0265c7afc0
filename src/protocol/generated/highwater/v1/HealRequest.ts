// Generated from proto/agent.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * Heals everything.
 */
export interface HealRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Only faults of this owner; empty: all.
   */
  'owner'?: (string);
}

/**
 * Heals everything.
 */
export interface HealRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Only faults of this owner; empty: all.
   */
  'owner': (string);
}
