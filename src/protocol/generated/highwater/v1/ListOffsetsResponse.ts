// Generated from proto/broker.proto. Do not edit.

import type { ListedOffsetInput as _highwater_v1_ListedOffsetInput, ListedOffset as _highwater_v1_ListedOffset } from '../../highwater/v1/ListedOffset.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Answer to a ListOffsets.
 */
export interface ListOffsetsResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * In request order.
   */
  'partitions'?: (_highwater_v1_ListedOffsetInput)[];
}

/**
 * Answer to a ListOffsets.
 */
export interface ListOffsetsResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * In request order.
   */
  'partitions': (_highwater_v1_ListedOffset)[];
}
