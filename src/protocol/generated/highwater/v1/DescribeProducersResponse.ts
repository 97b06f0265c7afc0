// Generated from proto/transaction.proto. Do not edit.

import type { PartitionProducersInput as _highwater_v1_PartitionProducersInput, PartitionProducers as _highwater_v1_PartitionProducers } from '../../highwater/v1/PartitionProducers.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * What it knows.
 */
export interface DescribeProducersResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * In request order.
   */
  'partitions'?: (_highwater_v1_PartitionProducersInput)[];
}

/**
 * What it knows.
 */
export interface DescribeProducersResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * In request order.
   */
  'partitions': (_highwater_v1_PartitionProducers)[];
}
