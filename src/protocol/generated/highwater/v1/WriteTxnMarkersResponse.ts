// Generated from proto/transaction.proto. Do not edit.

import type { WrittenMarkerInput as _highwater_v1_WrittenMarkerInput, WrittenMarker as _highwater_v1_WrittenMarker } from '../../highwater/v1/WrittenMarker.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Answer to it.
 */
export interface WriteTxnMarkersResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * In request order.
   */
  'markers'?: (_highwater_v1_WrittenMarkerInput)[];
}

/**
 * Answer to it.
 */
export interface WriteTxnMarkersResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * In request order.
   */
  'markers': (_highwater_v1_WrittenMarker)[];
}
