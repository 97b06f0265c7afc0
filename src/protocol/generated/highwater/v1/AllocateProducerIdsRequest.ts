// Generated from proto/controller.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * A broker that needs producer ids.
 */
export interface AllocateProducerIdsRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Broker id.
   */
  'brokerId'?: (number);
  /**
   * Its epoch.
   */
  'brokerEpoch'?: (number | string | Long);
}

/**
 * A broker that needs producer ids.
 */
export interface AllocateProducerIdsRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Broker id.
   */
  'brokerId': (number);
  /**
   * Its epoch.
   */
  'brokerEpoch': (number);
}
