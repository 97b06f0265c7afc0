// Generated from proto/transaction.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * A producer decides its transaction (txn T-72 to T-80).
 */
export interface EndTxnRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Transactional id.
   */
  'transactionalId'?: (string);
  /**
   * Its producer id.
   */
  'producerId'?: (number | string | Long);
  /**
   * Its epoch.
   */
  'producerEpoch'?: (number);
  /**
   * Commit, or abort.
   */
  'committed'?: (boolean);
  /**
   * 2: the epoch is bumped (EndTxn v5, txn T-190). Below: EndTxn v4.
   */
  'transactionVersion'?: (number);
}

/**
 * A producer decides its transaction (txn T-72 to T-80).
 */
export interface EndTxnRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Transactional id.
   */
  'transactionalId': (string);
  /**
   * Its producer id.
   */
  'producerId': (number);
  /**
   * Its epoch.
   */
  'producerEpoch': (number);
  /**
   * Commit, or abort.
   */
  'committed': (boolean);
  /**
   * 2: the epoch is bumped (EndTxn v5, txn T-190). Below: EndTxn v4.
   */
  'transactionVersion': (number);
}
