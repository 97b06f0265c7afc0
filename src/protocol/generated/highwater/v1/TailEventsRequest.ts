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
  /**
   * Byte at which from_line begins, as a line before it told; 0: lines are counted from the beginning of the file.
   */
  'fromPlace'?: (number | string | Long);
  /**
   * Leaves out what stands in the file when the call comes, but for events of `written_types`. A line whose json is empty
   * tells where what is new begins.
   */
  'onlyNew'?: (boolean);
  /**
   * Types of events that are wanted all the same.
   */
  'writtenTypes'?: (string)[];
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
  /**
   * Byte at which from_line begins, as a line before it told; 0: lines are counted from the beginning of the file.
   */
  'fromPlace': (number);
  /**
   * Leaves out what stands in the file when the call comes, but for events of `written_types`. A line whose json is empty
   * tells where what is new begins.
   */
  'onlyNew': (boolean);
  /**
   * Types of events that are wanted all the same.
   */
  'writtenTypes': (string)[];
}
