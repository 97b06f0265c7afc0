// Generated from proto/transaction.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * A producer registers the offsets partition of a group (txn T-60).
 */
export interface AddOffsetsToTxnRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Transactional id.
   */
  'transactionalId'?: (string);
  /**
   * Its producer id.
   */
  'producerId'?: (number | string | Long);
  /**
   * Its epoch.
   */
  'producerEpoch'?: (number);
  /**
   * The group whose offsets it will commit.
   */
  'groupId'?: (string);
}

/**
 * A producer registers the offsets partition of a group (txn T-60).
 */
export interface AddOffsetsToTxnRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Transactional id.
   */
  'transactionalId': (string);
  /**
   * Its producer id.
   */
  'producerId': (number);
  /**
   * Its epoch.
   */
  'producerEpoch': (number);
  /**
   * The group whose offsets it will commit.
   */
  'groupId': (string);
}
