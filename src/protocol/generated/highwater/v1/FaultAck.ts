// Generated from proto/faults.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * Answer to a change.
 */
export interface FaultAckInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Empty if done, else a sentence that says why not.
   */
  'refused'?: (string);
}

/**
 * Answer to a change.
 */
export interface FaultAck {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Empty if done, else a sentence that says why not.
   */
  'refused': (string);
}
