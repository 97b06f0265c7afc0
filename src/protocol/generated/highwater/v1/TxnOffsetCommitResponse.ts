// Generated from proto/group.proto. Do not edit.

import type { CommittedOutcomeInput as _highwater_v1_CommittedOutcomeInput, CommittedOutcome as _highwater_v1_CommittedOutcome } from '../../highwater/v1/CommittedOutcome.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Answer to it.
 */
export interface TxnOffsetCommitResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * In request order.
   */
  'partitions'?: (_highwater_v1_CommittedOutcomeInput)[];
}

/**
 * Answer to it.
 */
export interface TxnOffsetCommitResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * In request order.
   */
  'partitions': (_highwater_v1_CommittedOutcome)[];
}
