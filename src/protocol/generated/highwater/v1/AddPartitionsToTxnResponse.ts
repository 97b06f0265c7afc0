// Generated from proto/transaction.proto. Do not edit.

import type { PartitionOutcomeInput as _highwater_v1_PartitionOutcomeInput, PartitionOutcome as _highwater_v1_PartitionOutcome } from '../../highwater/v1/PartitionOutcome.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Answer to it.
 */
export interface AddPartitionsToTxnResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * One entry a partition, in request order.
   */
  'partitions'?: (_highwater_v1_PartitionOutcomeInput)[];
}

/**
 * Answer to it.
 */
export interface AddPartitionsToTxnResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * One entry a partition, in request order.
   */
  'partitions': (_highwater_v1_PartitionOutcome)[];
}
