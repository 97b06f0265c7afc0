// Generated from proto/transaction.proto. Do not edit.

import type { PartitionOutcomeInput as _highwater_v1_PartitionOutcomeInput, PartitionOutcome as _highwater_v1_PartitionOutcome } from '../../highwater/v1/PartitionOutcome.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * One of them.
 */
export interface WrittenMarkerInput {
  /**
   * Producer id.
   */
  'producerId'?: (number | string | Long);
  /**
   * One entry a partition.
   */
  'partitions'?: (_highwater_v1_PartitionOutcomeInput)[];
}

/**
 * One of them.
 */
export interface WrittenMarker {
  /**
   * Producer id.
   */
  'producerId': (number);
  /**
   * One entry a partition.
   */
  'partitions': (_highwater_v1_PartitionOutcome)[];
}
