// Generated from proto/broker.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * An aborted transaction as a read_committed reader needs it.
 */
export interface AbortedTransactionInput {
  /**
   * Its producer.
   */
  'producerId'?: (number | string | Long);
  /**
   * Its first offset in the partition.
   */
  'firstOffset'?: (number | string | Long);
}

/**
 * An aborted transaction as a read_committed reader needs it.
 */
export interface AbortedTransaction {
  /**
   * Its producer.
   */
  'producerId': (number);
  /**
   * Its first offset in the partition.
   */
  'firstOffset': (number);
}
