// Generated from proto/broker.proto. Do not edit.

import type { ErrorCodeInput as _highwater_v1_ErrorCodeInput, ErrorCode as _highwater_v1_ErrorCode } from '../../highwater/v1/ErrorCode.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * One offset found.
 */
export interface ListedOffsetInput {
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
   * Timestamp found, -1 for none and for latest and earliest.
   */
  'timestamp'?: (number | string | Long);
  /**
   * Offset found, -1 for none.
   */
  'offset'?: (number | string | Long);
  /**
   * Leader epoch of that offset, -1 unknown.
   */
  'leaderEpoch'?: (number);
}

/**
 * One offset found.
 */
export interface ListedOffset {
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
   * Timestamp found, -1 for none and for latest and earliest.
   */
  'timestamp': (number);
  /**
   * Offset found, -1 for none.
   */
  'offset': (number);
  /**
   * Leader epoch of that offset, -1 unknown.
   */
  'leaderEpoch': (number);
}
