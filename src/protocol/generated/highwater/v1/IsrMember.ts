// Generated from proto/controller.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * A member of a proposed ISR.
 */
export interface IsrMemberInput {
  /**
   * Broker id.
   */
  'brokerId'?: (number);
  /**
   * The broker epoch of its last fetch, -1 if unknown (repl R-59).
   */
  'brokerEpoch'?: (number | string | Long);
}

/**
 * A member of a proposed ISR.
 */
export interface IsrMember {
  /**
   * Broker id.
   */
  'brokerId': (number);
  /**
   * The broker epoch of its last fetch, -1 if unknown (repl R-59).
   */
  'brokerEpoch': (number);
}
