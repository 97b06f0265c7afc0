// Generated from proto/transaction.proto. Do not edit.

import type { ErrorCodeInput as _highwater_v1_ErrorCodeInput, ErrorCode as _highwater_v1_ErrorCode } from '../../highwater/v1/ErrorCode.ts';
import type { ListedTransactionInput as _highwater_v1_ListedTransactionInput, ListedTransaction as _highwater_v1_ListedTransaction } from '../../highwater/v1/ListedTransaction.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * What it coordinates.
 */
export interface ListTransactionsResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * COORDINATOR_LOAD_IN_PROGRESS while any partition loads; INVALID_REGULAR_EXPRESSION.
   */
  'error'?: (_highwater_v1_ErrorCodeInput);
  /**
   * State names that exist nowhere; they match nothing.
   */
  'unknownStates'?: (string)[];
  /**
   * By id.
   */
  'transactions'?: (_highwater_v1_ListedTransactionInput)[];
}

/**
 * What it coordinates.
 */
export interface ListTransactionsResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * COORDINATOR_LOAD_IN_PROGRESS while any partition loads; INVALID_REGULAR_EXPRESSION.
   */
  'error': (_highwater_v1_ErrorCode);
  /**
   * State names that exist nowhere; they match nothing.
   */
  'unknownStates': (string)[];
  /**
   * By id.
   */
  'transactions': (_highwater_v1_ListedTransaction)[];
}
