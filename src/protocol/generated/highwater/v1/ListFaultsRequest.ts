// Generated from proto/faults.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * Asks for the armed faults.
 */
export interface ListFaultsRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
}

/**
 * Asks for the armed faults.
 */
export interface ListFaultsRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
}
