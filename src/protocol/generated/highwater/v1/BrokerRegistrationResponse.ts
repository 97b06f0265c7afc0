// Generated from proto/controller.proto. Do not edit.

import type { ErrorCodeInput as _highwater_v1_ErrorCodeInput, ErrorCode as _highwater_v1_ErrorCode } from '../../highwater/v1/ErrorCode.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Answer to a registration.
 */
export interface BrokerRegistrationResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Error.
   */
  'error'?: (_highwater_v1_ErrorCodeInput);
  /**
   * The epoch of this registration.
   */
  'brokerEpoch'?: (number | string | Long);
  /**
   * Cluster id, to be written into a new data directory.
   */
  'clusterId'?: (string);
  /**
   * Process epoch of the controller: rises at each of its starts.
   */
  'controllerEpoch'?: (number | string | Long);
}

/**
 * Answer to a registration.
 */
export interface BrokerRegistrationResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Error.
   */
  'error': (_highwater_v1_ErrorCode);
  /**
   * The epoch of this registration.
   */
  'brokerEpoch': (number);
  /**
   * Cluster id, to be written into a new data directory.
   */
  'clusterId': (string);
  /**
   * Process epoch of the controller: rises at each of its starts.
   */
  'controllerEpoch': (number);
}
