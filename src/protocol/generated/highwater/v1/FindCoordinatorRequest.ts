// Generated from proto/transaction.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * Asks any broker who coordinates something (txn T-6, wire G-3).
 */
export interface FindCoordinatorRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * "group" or "transaction".
   */
  'keyType'?: (string);
  /**
   * Group ids or transactional ids.
   */
  'keys'?: (string)[];
}

/**
 * Asks any broker who coordinates something (txn T-6, wire G-3).
 */
export interface FindCoordinatorRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * "group" or "transaction".
   */
  'keyType': (string);
  /**
   * Group ids or transactional ids.
   */
  'keys': (string)[];
}
