// Generated from proto/transaction.proto. Do not edit.

import type { TopicPartitionsInput as _highwater_v1_TopicPartitionsInput, TopicPartitions as _highwater_v1_TopicPartitions } from '../../highwater/v1/TopicPartitions.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * One of them.
 */
export interface TxnMarkerInput {
  /**
   * Producer id of the transaction.
   */
  'producerId'?: (number | string | Long);
  /**
   * Epoch that the marker carries.
   */
  'producerEpoch'?: (number);
  /**
   * COMMIT, or ABORT.
   */
  'committed'?: (boolean);
  /**
   * Where to write it.
   */
  'topics'?: (_highwater_v1_TopicPartitionsInput)[];
  /**
   * Leader epoch of the coordinator's partition.
   */
  'coordinatorEpoch'?: (number);
  /**
   * Client transaction version of the id (txn T-118); 0 from administrators.
   */
  'transactionVersion'?: (number);
}

/**
 * One of them.
 */
export interface TxnMarker {
  /**
   * Producer id of the transaction.
   */
  'producerId': (number);
  /**
   * Epoch that the marker carries.
   */
  'producerEpoch': (number);
  /**
   * COMMIT, or ABORT.
   */
  'committed': (boolean);
  /**
   * Where to write it.
   */
  'topics': (_highwater_v1_TopicPartitions)[];
  /**
   * Leader epoch of the coordinator's partition.
   */
  'coordinatorEpoch': (number);
  /**
   * Client transaction version of the id (txn T-118); 0 from administrators.
   */
  'transactionVersion': (number);
}
