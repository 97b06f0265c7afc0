// Generated from proto/controller.proto. Do not edit.

import type { ErrorCodeInput as _highwater_v1_ErrorCodeInput, ErrorCode as _highwater_v1_ErrorCode } from '../../highwater/v1/ErrorCode.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * What the controller makes of it.
 */
export interface BrokerHeartbeatResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Error.
   */
  'error'?: (_highwater_v1_ErrorCodeInput);
  /**
   * The broker has applied its own registration.
   */
  'isCaughtUp'?: (boolean);
  /**
   * The broker is fenced.
   */
  'isFenced'?: (boolean);
  /**
   * The broker may exit now.
   */
  'shouldShutDown'?: (boolean);
  /**
   * Process epoch of the controller.
   */
  'controllerEpoch'?: (number | string | Long);
  /**
   * End of the metadata log as of this answer: a broker that was away for a session knows what it missed once it has
   * applied that much (txn W-23).
   */
  'metadataEndOffset'?: (number | string | Long);
}

/**
 * What the controller makes of it.
 */
export interface BrokerHeartbeatResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Error.
   */
  'error': (_highwater_v1_ErrorCode);
  /**
   * The broker has applied its own registration.
   */
  'isCaughtUp': (boolean);
  /**
   * The broker is fenced.
   */
  'isFenced': (boolean);
  /**
   * The broker may exit now.
   */
  'shouldShutDown': (boolean);
  /**
   * Process epoch of the controller.
   */
  'controllerEpoch': (number);
  /**
   * End of the metadata log as of this answer: a broker that was away for a session knows what it missed once it has
   * applied that much (txn W-23).
   */
  'metadataEndOffset': (number);
}
