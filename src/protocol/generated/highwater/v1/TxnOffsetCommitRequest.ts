// Generated from proto/group.proto. Do not edit.

import type { OffsetToCommitInput as _highwater_v1_OffsetToCommitInput, OffsetToCommit as _highwater_v1_OffsetToCommit } from '../../highwater/v1/OffsetToCommit.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * A producer commits offsets as part of its transaction (txn T-61 to T-66, wire G-43, G-44).
 */
export interface TxnOffsetCommitRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Transactional id.
   */
  'transactionalId'?: (string);
  /**
   * Group id.
   */
  'groupId'?: (string);
  /**
   * Its producer id.
   */
  'producerId'?: (number | string | Long);
  /**
   * Its epoch.
   */
  'producerEpoch'?: (number);
  /**
   * -1: not fenced by the group.
   */
  'generationId'?: (number);
  /**
   * Member id; empty likewise.
   */
  'memberId'?: (string);
  /**
   * Static name; empty if dynamic.
   */
  'groupInstanceId'?: (string);
  /**
   * The offsets.
   */
  'offsets'?: (_highwater_v1_OffsetToCommitInput)[];
  /**
   * 2: adds the offsets partition to the transaction (v5, txn T-190). Below: v4.
   */
  'transactionVersion'?: (number);
}

/**
 * A producer commits offsets as part of its transaction (txn T-61 to T-66, wire G-43, G-44).
 */
export interface TxnOffsetCommitRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Transactional id.
   */
  'transactionalId': (string);
  /**
   * Group id.
   */
  'groupId': (string);
  /**
   * Its producer id.
   */
  'producerId': (number);
  /**
   * Its epoch.
   */
  'producerEpoch': (number);
  /**
   * -1: not fenced by the group.
   */
  'generationId': (number);
  /**
   * Member id; empty likewise.
   */
  'memberId': (string);
  /**
   * Static name; empty if dynamic.
   */
  'groupInstanceId': (string);
  /**
   * The offsets.
   */
  'offsets': (_highwater_v1_OffsetToCommit)[];
  /**
   * 2: adds the offsets partition to the transaction (v5, txn T-190). Below: v4.
   */
  'transactionVersion': (number);
}
