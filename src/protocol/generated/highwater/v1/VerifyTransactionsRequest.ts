// Generated from proto/transaction.proto. Do not edit.

import type { TransactionToVerifyInput as _highwater_v1_TransactionToVerifyInput, TransactionToVerify as _highwater_v1_TransactionToVerify } from '../../highwater/v1/TransactionToVerify.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * A leader asks a coordinator about transactions that it is asked to write for: AddPartitionsToTxn as brokers send it
 * (txn T-54, T-58, T-59).
 */
export interface VerifyTransactionsRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * One entry a transaction.
   */
  'transactions'?: (_highwater_v1_TransactionToVerifyInput)[];
}

/**
 * A leader asks a coordinator about transactions that it is asked to write for: AddPartitionsToTxn as brokers send it
 * (txn T-54, T-58, T-59).
 */
export interface VerifyTransactionsRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * One entry a transaction.
   */
  'transactions': (_highwater_v1_TransactionToVerify)[];
}
