// Generated from proto/transaction.proto. Do not edit.

import type { VerifiedTransactionInput as _highwater_v1_VerifiedTransactionInput, VerifiedTransaction as _highwater_v1_VerifiedTransaction } from '../../highwater/v1/VerifiedTransaction.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Answer to it.
 */
export interface VerifyTransactionsResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * In request order.
   */
  'transactions'?: (_highwater_v1_VerifiedTransactionInput)[];
}

/**
 * Answer to it.
 */
export interface VerifyTransactionsResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * In request order.
   */
  'transactions': (_highwater_v1_VerifiedTransaction)[];
}
