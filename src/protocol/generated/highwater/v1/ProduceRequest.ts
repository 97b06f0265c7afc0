// Generated from proto/broker.proto. Do not edit.

import type { ProducePartitionInput as _highwater_v1_ProducePartitionInput, ProducePartition as _highwater_v1_ProducePartition } from '../../highwater/v1/ProducePartition.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Batches to append.
 */
export interface ProduceRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Echoed in the answer.
   */
  'correlationId'?: (number | string | Long);
  /**
   * 0, 1 or -1 (all).
   */
  'acks'?: (number);
  /**
   * Longest wait for acks=all, ms.
   */
  'timeoutMs'?: (number);
  /**
   * Transactional id; empty if none.
   */
  'transactionalId'?: (string);
  /**
   * Who asks, for the internal-topic check of repl R-117.
   */
  'clientId'?: (string);
  /**
   * One entry a partition.
   */
  'partitions'?: (_highwater_v1_ProducePartitionInput)[];
  /**
   * 2: partitions are added to the transaction (Produce v12, txn T-190). Below: only verified (v11).
   */
  'transactionVersion'?: (number);
}

/**
 * Batches to append.
 */
export interface ProduceRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Echoed in the answer.
   */
  'correlationId': (number);
  /**
   * 0, 1 or -1 (all).
   */
  'acks': (number);
  /**
   * Longest wait for acks=all, ms.
   */
  'timeoutMs': (number);
  /**
   * Transactional id; empty if none.
   */
  'transactionalId': (string);
  /**
   * Who asks, for the internal-topic check of repl R-117.
   */
  'clientId': (string);
  /**
   * One entry a partition.
   */
  'partitions': (_highwater_v1_ProducePartition)[];
  /**
   * 2: partitions are added to the transaction (Produce v12, txn T-190). Below: only verified (v11).
   */
  'transactionVersion': (number);
}
