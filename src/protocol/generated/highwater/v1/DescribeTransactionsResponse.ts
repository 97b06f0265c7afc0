// Generated from proto/transaction.proto. Do not edit.

import type { DescribedTransactionInput as _highwater_v1_DescribedTransactionInput, DescribedTransaction as _highwater_v1_DescribedTransaction } from '../../highwater/v1/DescribedTransaction.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * What it knows.
 */
export interface DescribeTransactionsResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * In request order.
   */
  'transactions'?: (_highwater_v1_DescribedTransactionInput)[];
}

/**
 * What it knows.
 */
export interface DescribeTransactionsResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * In request order.
   */
  'transactions': (_highwater_v1_DescribedTransaction)[];
}
