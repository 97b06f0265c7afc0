// Generated from proto/transaction.proto. Do not edit.

import type { PartitionOutcomeInput as _highwater_v1_PartitionOutcomeInput, PartitionOutcome as _highwater_v1_PartitionOutcome } from '../../highwater/v1/PartitionOutcome.ts';

/**
 * One of them.
 */
export interface VerifiedTransactionInput {
  /**
   * Transactional id.
   */
  'transactionalId'?: (string);
  /**
   * One entry a partition.
   */
  'partitions'?: (_highwater_v1_PartitionOutcomeInput)[];
}

/**
 * One of them.
 */
export interface VerifiedTransaction {
  /**
   * Transactional id.
   */
  'transactionalId': (string);
  /**
   * One entry a partition.
   */
  'partitions': (_highwater_v1_PartitionOutcome)[];
}
