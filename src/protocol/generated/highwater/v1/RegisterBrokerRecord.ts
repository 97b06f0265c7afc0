// Generated from proto/common.proto. Do not edit.

import type { EndpointInput as _highwater_v1_EndpointInput, Endpoint as _highwater_v1_Endpoint } from '../../highwater/v1/Endpoint.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * A broker process as it registered (repl ). It starts fenced.
 */
export interface RegisterBrokerRecordInput {
  /**
   * Broker id, 1 and up.
   */
  'brokerId'?: (number);
  /**
   * Random id drawn at every process start.
   */
  'incarnationId'?: (string);
  /**
   * Offset of this registration in the metadata log; unique and rising (repl R-87).
   */
  'brokerEpoch'?: (number | string | Long);
  /**
   * Where it can be reached.
   */
  'endpoints'?: (_highwater_v1_EndpointInput)[];
  /**
   * Always true in a new registration.
   */
  'fenced'?: (boolean);
  /**
   * Its rack; empty for none (repl R-86).
   */
  'rack'?: (string);
  /**
   * In a snapshot: whether it is in controlled shutdown.
   */
  'inControlledShutdown'?: (boolean);
  /**
   * In a snapshot: where its registration stood in the log; 0 elsewhere.
   */
  'registrationOffset'?: (number | string | Long);
}

/**
 * A broker process as it registered (repl ). It starts fenced.
 */
export interface RegisterBrokerRecord {
  /**
   * Broker id, 1 and up.
   */
  'brokerId': (number);
  /**
   * Random id drawn at every process start.
   */
  'incarnationId': (string);
  /**
   * Offset of this registration in the metadata log; unique and rising (repl R-87).
   */
  'brokerEpoch': (number);
  /**
   * Where it can be reached.
   */
  'endpoints': (_highwater_v1_Endpoint)[];
  /**
   * Always true in a new registration.
   */
  'fenced': (boolean);
  /**
   * Its rack; empty for none (repl R-86).
   */
  'rack': (string);
  /**
   * In a snapshot: whether it is in controlled shutdown.
   */
  'inControlledShutdown': (boolean);
  /**
   * In a snapshot: where its registration stood in the log; 0 elsewhere.
   */
  'registrationOffset': (number);
}
