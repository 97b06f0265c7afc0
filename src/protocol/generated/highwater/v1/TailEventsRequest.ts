// Generated from proto/events.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * Asks for events.
 */
export interface TailEventsRequestInput {
  /**
   * Node id; 0: all nodes of the host (agent only).
   */
  'node'?: (number);
  /**
   * First line wanted, from 0.
   */
  'fromLine'?: (number | string | Long);
  /**
   * False ends the stream at the end of the file.
   */
  'follow'?: (boolean);
}

/**
 * Asks for events.
 */
export interface TailEventsRequest {
  /**
   * Node id; 0: all nodes of the host (agent only).
   */
  'node': (number);
  /**
   * First line wanted, from 0.
   */
  'fromLine': (number);
  /**
   * False ends the stream at the end of the file.
   */
  'follow': (boolean);
}
