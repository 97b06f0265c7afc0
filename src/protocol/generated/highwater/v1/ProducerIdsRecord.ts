// Generated from proto/common.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * A block of producer ids was handed out; all below next_producer_id are used.
 */
export interface ProducerIdsRecordInput {
  /**
   * The broker that got the block.
   */
  'brokerId'?: (number);
  /**
   * First id not handed out yet.
   */
  'nextProducerId'?: (number | string | Long);
}

/**
 * A block of producer ids was handed out; all below next_producer_id are used.
 */
export interface ProducerIdsRecord {
  /**
   * The broker that got the block.
   */
  'brokerId': (number);
  /**
   * First id not handed out yet.
   */
  'nextProducerId': (number);
}
