// Generated from proto/controller.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * Topics to delete.
 */
export interface DeleteTopicsRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Names.
   */
  'names'?: (string)[];
  /**
   * Ids; whoever has an id means that topic and not one created later under its name.
   */
  'topicIds'?: (string)[];
}

/**
 * Topics to delete.
 */
export interface DeleteTopicsRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Names.
   */
  'names': (string)[];
  /**
   * Ids; whoever has an id means that topic and not one created later under its name.
   */
  'topicIds': (string)[];
}
