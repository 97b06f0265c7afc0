// Generated from proto/common.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * A broker is forgotten: its id is free, and a process of it that still runs is none of the cluster's (repl R-119).
 */
export interface UnregisterBrokerRecordInput {
  /**
   * Broker id.
   */
  'brokerId'?: (number);
  /**
   * The epoch of the registration that ends.
   */
  'brokerEpoch'?: (number | string | Long);
}

/**
 * A broker is forgotten: its id is free, and a process of it that still runs is none of the cluster's (repl R-119).
 */
export interface UnregisterBrokerRecord {
  /**
   * Broker id.
   */
  'brokerId': (number);
  /**
   * The epoch of the registration that ends.
   */
  'brokerEpoch': (number);
}
