// Generated from proto/transaction.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * Lists the transactional ids of one broker (txn T-176).
 */
export interface ListTransactionsRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Only these states; empty: all.
   */
  'states'?: (string)[];
  /**
   * Only these producer ids; empty: all.
   */
  'producerIds'?: (number | string | Long)[];
  /**
   * Only transactions open for longer than this, ms; -1: all.
   */
  'minDurationMs'?: (number | string | Long);
  /**
   * Only ids that this regular expression matches as a whole; empty: all.
   */
  'idPattern'?: (string);
}

/**
 * Lists the transactional ids of one broker (txn T-176).
 */
export interface ListTransactionsRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Only these states; empty: all.
   */
  'states': (string)[];
  /**
   * Only these producer ids; empty: all.
   */
  'producerIds': (number)[];
  /**
   * Only transactions open for longer than this, ms; -1: all.
   */
  'minDurationMs': (number);
  /**
   * Only ids that this regular expression matches as a whole; empty: all.
   */
  'idPattern': (string);
}
