// Generated from proto/broker.proto. Do not edit.

import type { EpochEndOffsetInput as _highwater_v1_EpochEndOffsetInput, EpochEndOffset as _highwater_v1_EpochEndOffset } from '../../highwater/v1/EpochEndOffset.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Where leader epochs end.
 */
export interface OffsetsForLeaderEpochResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * In request order.
   */
  'partitions'?: (_highwater_v1_EpochEndOffsetInput)[];
}

/**
 * Where leader epochs end.
 */
export interface OffsetsForLeaderEpochResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * In request order.
   */
  'partitions': (_highwater_v1_EpochEndOffset)[];
}
