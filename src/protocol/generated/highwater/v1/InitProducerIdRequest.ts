// Generated from proto/broker.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * A producer that wants an identity.
 */
export interface InitProducerIdRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * True: it named a transactional id, which may be empty (an error of its own, txn T-40).
   */
  'hasTransactionalId'?: (boolean);
  /**
   * Transactional id.
   */
  'transactionalId'?: (string);
  /**
   * Transactions of this id are aborted after this long, ms. Ignored without one.
   */
  'transactionTimeoutMs'?: (number);
  /**
   * The identity that it has, -1 if none. Ignored without a transactional id.
   */
  'producerId'?: (number | string | Long);
  /**
   * Its epoch, -1 if none.
   */
  'producerEpoch'?: (number);
}

/**
 * A producer that wants an identity.
 */
export interface InitProducerIdRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * True: it named a transactional id, which may be empty (an error of its own, txn T-40).
   */
  'hasTransactionalId': (boolean);
  /**
   * Transactional id.
   */
  'transactionalId': (string);
  /**
   * Transactions of this id are aborted after this long, ms. Ignored without one.
   */
  'transactionTimeoutMs': (number);
  /**
   * The identity that it has, -1 if none. Ignored without a transactional id.
   */
  'producerId': (number);
  /**
   * Its epoch, -1 if none.
   */
  'producerEpoch': (number);
}
