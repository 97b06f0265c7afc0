// Generated from proto/broker.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * One of them.
 */
export interface DeleteRecordsPartitionInput {
  /**
   * Topic name.
   */
  'topic'?: (string);
  /**
   * Partition index.
   */
  'partition'?: (number);
  /**
   * First offset that stays; -1: the high watermark.
   */
  'offset'?: (number | string | Long);
}

/**
 * One of them.
 */
export interface DeleteRecordsPartition {
  /**
   * Topic name.
   */
  'topic': (string);
  /**
   * Partition index.
   */
  'partition': (number);
  /**
   * First offset that stays; -1: the high watermark.
   */
  'offset': (number);
}
