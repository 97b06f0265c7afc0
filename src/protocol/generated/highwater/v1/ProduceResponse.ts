// Generated from proto/broker.proto. Do not edit.

import type { ProducedPartitionInput as _highwater_v1_ProducedPartitionInput, ProducedPartition as _highwater_v1_ProducedPartition } from '../../highwater/v1/ProducedPartition.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Answer to a produce.
 */
export interface ProduceResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Echo.
   */
  'correlationId'?: (number | string | Long);
  /**
   * One entry a partition, in request order.
   */
  'partitions'?: (_highwater_v1_ProducedPartitionInput)[];
}

/**
 * Answer to a produce.
 */
export interface ProduceResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Echo.
   */
  'correlationId': (number);
  /**
   * One entry a partition, in request order.
   */
  'partitions': (_highwater_v1_ProducedPartition)[];
}
