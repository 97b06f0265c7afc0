// Generated from proto/transaction.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * Asks a coordinator about ids (txn T-177).
 */
export interface DescribeTransactionsRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Transactional ids.
   */
  'transactionalIds'?: (string)[];
}

/**
 * Asks a coordinator about ids (txn T-177).
 */
export interface DescribeTransactionsRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Transactional ids.
   */
  'transactionalIds': (string)[];
}
