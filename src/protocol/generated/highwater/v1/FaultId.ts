// Generated from proto/faults.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * Names a fault.
 */
export interface FaultIdInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Its id; "*" for all.
   */
  'id'?: (string);
}

/**
 * Names a fault.
 */
export interface FaultId {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Its id; "*" for all.
   */
  'id': (string);
}
