// Generated from proto/controller.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * A broker to forget.
 */
export interface UnregisterBrokerRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Broker id.
   */
  'brokerId'?: (number);
}

/**
 * A broker to forget.
 */
export interface UnregisterBrokerRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Broker id.
   */
  'brokerId': (number);
}
