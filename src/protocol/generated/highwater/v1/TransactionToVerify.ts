// Generated from proto/transaction.proto. Do not edit.

import type { TopicPartitionsInput as _highwater_v1_TopicPartitionsInput, TopicPartitions as _highwater_v1_TopicPartitions } from '../../highwater/v1/TopicPartitions.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * One of them.
 */
export interface TransactionToVerifyInput {
  /**
   * Transactional id.
   */
  'transactionalId'?: (string);
  /**
   * Producer id of the batch.
   */
  'producerId'?: (number | string | Long);
  /**
   * Its epoch.
   */
  'producerEpoch'?: (number);
  /**
   * True: only asks whether they are part of it. False: adds them (transaction.version 2).
   */
  'verifyOnly'?: (boolean);
  /**
   * Partitions about to be written.
   */
  'topics'?: (_highwater_v1_TopicPartitionsInput)[];
}

/**
 * One of them.
 */
export interface TransactionToVerify {
  /**
   * Transactional id.
   */
  'transactionalId': (string);
  /**
   * Producer id of the batch.
   */
  'producerId': (number);
  /**
   * Its epoch.
   */
  'producerEpoch': (number);
  /**
   * True: only asks whether they are part of it. False: adds them (transaction.version 2).
   */
  'verifyOnly': (boolean);
  /**
   * Partitions about to be written.
   */
  'topics': (_highwater_v1_TopicPartitions)[];
}
