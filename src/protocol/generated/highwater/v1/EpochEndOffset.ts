// Generated from proto/broker.proto. Do not edit.

import type { ErrorCodeInput as _highwater_v1_ErrorCodeInput, ErrorCode as _highwater_v1_ErrorCode } from '../../highwater/v1/ErrorCode.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * One answer.
 */
export interface EpochEndOffsetInput {
  /**
   * Topic name.
   */
  'topic'?: (string);
  /**
   * Partition index.
   */
  'partition'?: (number);
  /**
   * Error of this partition.
   */
  'error'?: (_highwater_v1_ErrorCodeInput);
  /**
   * Largest epoch not above the one asked about; -1 undefined.
   */
  'leaderEpoch'?: (number);
  /**
   * Its end offset; -1 undefined.
   */
  'endOffset'?: (number | string | Long);
}

/**
 * One answer.
 */
export interface EpochEndOffset {
  /**
   * Topic name.
   */
  'topic': (string);
  /**
   * Partition index.
   */
  'partition': (number);
  /**
   * Error of this partition.
   */
  'error': (_highwater_v1_ErrorCode);
  /**
   * Largest epoch not above the one asked about; -1 undefined.
   */
  'leaderEpoch': (number);
  /**
   * Its end offset; -1 undefined.
   */
  'endOffset': (number);
}
