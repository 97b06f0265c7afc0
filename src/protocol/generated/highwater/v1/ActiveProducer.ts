// Generated from proto/transaction.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * One of them.
 */
export interface ActiveProducerInput {
  /**
   * Producer id.
   */
  'producerId'?: (number | string | Long);
  /**
   * Its epoch.
   */
  'producerEpoch'?: (number);
  /**
   * Last sequence; -1 none.
   */
  'lastSequence'?: (number);
  /**
   * Timestamp of its last batch or marker, ms.
   */
  'lastTimestampMs'?: (number | string | Long);
  /**
   * Epoch of the last coordinator that wrote a marker; -1 none.
   */
  'coordinatorEpoch'?: (number);
  /**
   * Where its open transaction began; -1 none.
   */
  'currentTxnStartOffset'?: (number | string | Long);
}

/**
 * One of them.
 */
export interface ActiveProducer {
  /**
   * Producer id.
   */
  'producerId': (number);
  /**
   * Its epoch.
   */
  'producerEpoch': (number);
  /**
   * Last sequence; -1 none.
   */
  'lastSequence': (number);
  /**
   * Timestamp of its last batch or marker, ms.
   */
  'lastTimestampMs': (number);
  /**
   * Epoch of the last coordinator that wrote a marker; -1 none.
   */
  'coordinatorEpoch': (number);
  /**
   * Where its open transaction began; -1 none.
   */
  'currentTxnStartOffset': (number);
}
