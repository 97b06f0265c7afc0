// Generated from proto/agent.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * Asks an agent where it stands.
 */
export interface DescribePlaceRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
}

/**
 * Asks an agent where it stands.
 */
export interface DescribePlaceRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
}
