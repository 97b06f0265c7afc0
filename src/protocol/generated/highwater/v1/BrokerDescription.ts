// Generated from proto/broker.proto. Do not edit.

import type { EndpointInput as _highwater_v1_EndpointInput, Endpoint as _highwater_v1_Endpoint } from '../../highwater/v1/Endpoint.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * A broker and where to reach it.
 */
export interface BrokerDescriptionInput {
  /**
   * Broker id.
   */
  'id'?: (number);
  /**
   * Where to reach it.
   */
  'endpoints'?: (_highwater_v1_EndpointInput)[];
  /**
   * Whether it is fenced.
   */
  'fenced'?: (boolean);
  /**
   * Its broker epoch.
   */
  'brokerEpoch'?: (number | string | Long);
  /**
   * Whether it is in controlled shutdown.
   */
  'inControlledShutdown'?: (boolean);
  /**
   * Its rack; empty for none.
   */
  'rack'?: (string);
}

/**
 * A broker and where to reach it.
 */
export interface BrokerDescription {
  /**
   * Broker id.
   */
  'id': (number);
  /**
   * Where to reach it.
   */
  'endpoints': (_highwater_v1_Endpoint)[];
  /**
   * Whether it is fenced.
   */
  'fenced': (boolean);
  /**
   * Its broker epoch.
   */
  'brokerEpoch': (number);
  /**
   * Whether it is in controlled shutdown.
   */
  'inControlledShutdown': (boolean);
  /**
   * Its rack; empty for none.
   */
  'rack': (string);
}
