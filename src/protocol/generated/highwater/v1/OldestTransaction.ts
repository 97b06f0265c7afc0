// Generated from proto/broker.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * What holds the last stable offset of a replica back, or will.
 */
export interface OldestTransactionInput {
  /**
   * Its producer.
   */
  'producerId'?: (number | string | Long);
  /**
   * Where it began.
   */
  'startOffset'?: (number | string | Long);
  /**
   * Timestamp of its producer's last batch or marker, ms.
   */
  'lastTimestampMs'?: (number | string | Long);
  /**
   * Silent for longer than transaction.max.timeout.ms and 5 minutes: it probably hangs (txn T-182).
   */
  'late'?: (boolean);
}

/**
 * What holds the last stable offset of a replica back, or will.
 */
export interface OldestTransaction {
  /**
   * Its producer.
   */
  'producerId': (number);
  /**
   * Where it began.
   */
  'startOffset': (number);
  /**
   * Timestamp of its producer's last batch or marker, ms.
   */
  'lastTimestampMs': (number);
  /**
   * Silent for longer than transaction.max.timeout.ms and 5 minutes: it probably hangs (txn T-182).
   */
  'late': (boolean);
}
