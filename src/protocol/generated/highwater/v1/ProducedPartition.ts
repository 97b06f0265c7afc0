// Generated from proto/broker.proto. Do not edit.

import type { ErrorCodeInput as _highwater_v1_ErrorCodeInput, ErrorCode as _highwater_v1_ErrorCode } from '../../highwater/v1/ErrorCode.ts';
import type { RecordErrorInput as _highwater_v1_RecordErrorInput, RecordError as _highwater_v1_RecordError } from '../../highwater/v1/RecordError.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * What became of the records of one partition.
 */
export interface ProducedPartitionInput {
  /**
   * Topic name.
   */
  'topic'?: (string);
  /**
   * Partition index.
   */
  'partition'?: (number);
  /**
   * Error, NONE if appended (and, with acks=all, replicated).
   */
  'error'?: (_highwater_v1_ErrorCodeInput);
  /**
   * Offset of the first record; -1 on error.
   */
  'baseOffset'?: (number | string | Long);
  /**
   * Time stamped by LogAppendTime, else -1.
   */
  'logAppendTimeMs'?: (number | string | Long);
  /**
   * Log start offset; -1 if unknown.
   */
  'logStartOffset'?: (number | string | Long);
  /**
   * Records that were refused one by one.
   */
  'recordErrors'?: (_highwater_v1_RecordErrorInput)[];
  /**
   * A sentence for people; empty if none.
   */
  'errorMessage'?: (string);
  /**
   * What `error` stands for: clients know to try again after that one, and not after this. NONE: for itself.
   */
  'underlyingError'?: (_highwater_v1_ErrorCodeInput);
  /**
   * Leader epoch in which this broker appended it, or found it appended before; -1 on error.
   */
  'leaderEpoch'?: (number);
}

/**
 * What became of the records of one partition.
 */
export interface ProducedPartition {
  /**
   * Topic name.
   */
  'topic': (string);
  /**
   * Partition index.
   */
  'partition': (number);
  /**
   * Error, NONE if appended (and, with acks=all, replicated).
   */
  'error': (_highwater_v1_ErrorCode);
  /**
   * Offset of the first record; -1 on error.
   */
  'baseOffset': (number);
  /**
   * Time stamped by LogAppendTime, else -1.
   */
  'logAppendTimeMs': (number);
  /**
   * Log start offset; -1 if unknown.
   */
  'logStartOffset': (number);
  /**
   * Records that were refused one by one.
   */
  'recordErrors': (_highwater_v1_RecordError)[];
  /**
   * A sentence for people; empty if none.
   */
  'errorMessage': (string);
  /**
   * What `error` stands for: clients know to try again after that one, and not after this. NONE: for itself.
   */
  'underlyingError': (_highwater_v1_ErrorCode);
  /**
   * Leader epoch in which this broker appended it, or found it appended before; -1 on error.
   */
  'leaderEpoch': (number);
}
