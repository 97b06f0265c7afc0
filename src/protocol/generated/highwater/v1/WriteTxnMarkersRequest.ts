// Generated from proto/transaction.proto. Do not edit.

import type { TxnMarkerInput as _highwater_v1_TxnMarkerInput, TxnMarker as _highwater_v1_TxnMarker } from '../../highwater/v1/TxnMarker.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * A coordinator, or an administrator, ends transactions in partitions (txn T-81 to T-86, T-179).
 */
export interface WriteTxnMarkersRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * The markers.
   */
  'markers'?: (_highwater_v1_TxnMarkerInput)[];
}

/**
 * A coordinator, or an administrator, ends transactions in partitions (txn T-81 to T-86, T-179).
 */
export interface WriteTxnMarkersRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * The markers.
   */
  'markers': (_highwater_v1_TxnMarker)[];
}
