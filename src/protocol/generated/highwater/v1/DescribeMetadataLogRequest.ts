// Generated from proto/controller.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * Asks for what stands in the metadata log.
 */
export interface DescribeMetadataLogRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * First offset wanted; the log's start if it begins later. Of a snapshot: the first record, from 0.
   */
  'fromOffset'?: (number | string | Long);
  /**
   * Records of the newest snapshot instead of the log's.
   */
  'snapshot'?: (boolean);
  /**
   * At most so many records.
   */
  'maxRecords'?: (number);
}

/**
 * Asks for what stands in the metadata log.
 */
export interface DescribeMetadataLogRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * First offset wanted; the log's start if it begins later. Of a snapshot: the first record, from 0.
   */
  'fromOffset': (number);
  /**
   * Records of the newest snapshot instead of the log's.
   */
  'snapshot': (boolean);
  /**
   * At most so many records.
   */
  'maxRecords': (number);
}
