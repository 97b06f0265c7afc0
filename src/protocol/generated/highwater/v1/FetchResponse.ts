// Generated from proto/broker.proto. Do not edit.

import type { ErrorCodeInput as _highwater_v1_ErrorCodeInput, ErrorCode as _highwater_v1_ErrorCode } from '../../highwater/v1/ErrorCode.ts';
import type { FetchedPartitionInput as _highwater_v1_FetchedPartitionInput, FetchedPartition as _highwater_v1_FetchedPartition } from '../../highwater/v1/FetchedPartition.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Answer to a fetch.
 */
export interface FetchResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Echo of the request's stream generation.
   */
  'streamGeneration'?: (number | string | Long);
  /**
   * Echo of the request's sequence.
   */
  'sequence'?: (number | string | Long);
  /**
   * Error of the whole request.
   */
  'error'?: (_highwater_v1_ErrorCodeInput);
  /**
   * Sessions: partitions with news. Otherwise: every partition asked for.
   */
  'partitions'?: (_highwater_v1_FetchedPartitionInput)[];
}

/**
 * Answer to a fetch.
 */
export interface FetchResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Echo of the request's stream generation.
   */
  'streamGeneration': (number);
  /**
   * Echo of the request's sequence.
   */
  'sequence': (number);
  /**
   * Error of the whole request.
   */
  'error': (_highwater_v1_ErrorCode);
  /**
   * Sessions: partitions with news. Otherwise: every partition asked for.
   */
  'partitions': (_highwater_v1_FetchedPartition)[];
}
