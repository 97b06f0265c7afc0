// Generated from proto/controller.proto. Do not edit.

import type { EndpointInput as _highwater_v1_EndpointInput, Endpoint as _highwater_v1_Endpoint } from '../../highwater/v1/Endpoint.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * A broker process that wants to join.
 */
export interface BrokerRegistrationRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Broker id.
   */
  'brokerId'?: (number);
  /**
   * Cluster the data directory belongs to; empty if it is new.
   */
  'clusterId'?: (string);
  /**
   * Random id of this process.
   */
  'incarnationId'?: (string);
  /**
   * Where it can be reached.
   */
  'endpoints'?: (_highwater_v1_EndpointInput)[];
  /**
   * Broker epoch found in the clean-shutdown marker, -1 if there was none (repl R-98).
   */
  'previousBrokerEpoch'?: (number | string | Long);
  /**
   * Its rack; empty for none (repl R-86).
   */
  'rack'?: (string);
}

/**
 * A broker process that wants to join.
 */
export interface BrokerRegistrationRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Broker id.
   */
  'brokerId': (number);
  /**
   * Cluster the data directory belongs to; empty if it is new.
   */
  'clusterId': (string);
  /**
   * Random id of this process.
   */
  'incarnationId': (string);
  /**
   * Where it can be reached.
   */
  'endpoints': (_highwater_v1_Endpoint)[];
  /**
   * Broker epoch found in the clean-shutdown marker, -1 if there was none (repl R-98).
   */
  'previousBrokerEpoch': (number);
  /**
   * Its rack; empty for none (repl R-86).
   */
  'rack': (string);
}
