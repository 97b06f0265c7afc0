// Generated from proto/common.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * A change of a registration.
 */
export interface BrokerRegistrationChangeRecordInput {
  /**
   * The broker that changed.
   */
  'brokerId'?: (number);
  /**
   * Its broker epoch, unchanged by this record.
   */
  'brokerEpoch'?: (number | string | Long);
  /**
   * Whether it is fenced from now on.
   */
  'fenced'?: (boolean);
  /**
   * Whether it is in controlled shutdown from now on (repl R-94).
   */
  'inControlledShutdown'?: (boolean);
}

/**
 * A change of a registration.
 */
export interface BrokerRegistrationChangeRecord {
  /**
   * The broker that changed.
   */
  'brokerId': (number);
  /**
   * Its broker epoch, unchanged by this record.
   */
  'brokerEpoch': (number);
  /**
   * Whether it is fenced from now on.
   */
  'fenced': (boolean);
  /**
   * Whether it is in controlled shutdown from now on (repl R-94).
   */
  'inControlledShutdown': (boolean);
}
