// Generated from proto/faults.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * Switches a safeguard.
 */
export interface SetSafeguardRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Its name, such as "hw.bound".
   */
  'name'?: (string);
  /**
   * On (the protocol's behaviour) or off.
   */
  'on'?: (boolean);
}

/**
 * Switches a safeguard.
 */
export interface SetSafeguardRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Its name, such as "hw.bound".
   */
  'name': (string);
  /**
   * On (the protocol's behaviour) or off.
   */
  'on': (boolean);
}
