// Generated from proto/transaction.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * One of them.
 */
export interface ListedTransactionInput {
  /**
   * Transactional id.
   */
  'transactionalId'?: (string);
  /**
   * Producer id.
   */
  'producerId'?: (number | string | Long);
  /**
   * Kafka's name of its state.
   */
  'state'?: (string);
}

/**
 * One of them.
 */
export interface ListedTransaction {
  /**
   * Transactional id.
   */
  'transactionalId': (string);
  /**
   * Producer id.
   */
  'producerId': (number);
  /**
   * Kafka's name of its state.
   */
  'state': (string);
}
