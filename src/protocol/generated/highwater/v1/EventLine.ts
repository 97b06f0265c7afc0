// Generated from proto/events.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * One event.
 */
export interface EventLineInput {
  /**
   * Node that wrote it.
   */
  'node'?: (number);
  /**
   * Line number in that node's event file, from 0.
   */
  'line'?: (number | string | Long);
  /**
   * Lamport time of the event.
   */
  'lamport'?: (number | string | Long);
  /**
   * The event as JSON.
   */
  'json'?: (string);
  /**
   * Byte at which the next line begins.
   */
  'nextPlace'?: (number | string | Long);
}

/**
 * One event.
 */
export interface EventLine {
  /**
   * Node that wrote it.
   */
  'node': (number);
  /**
   * Line number in that node's event file, from 0.
   */
  'line': (number);
  /**
   * Lamport time of the event.
   */
  'lamport': (number);
  /**
   * The event as JSON.
   */
  'json': (string);
  /**
   * Byte at which the next line begins.
   */
  'nextPlace': (number);
}
