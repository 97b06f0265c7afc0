// Generated from proto/controller.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * Asks for the metadata log. The first message opens the stream; later ones acknowledge what was received.
 */
export interface MetadataLogRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Who asks, -1 for a client of ours.
   */
  'brokerId'?: (number);
  /**
   * First offset wanted.
   */
  'fromOffset'?: (number | string | Long);
}

/**
 * Asks for the metadata log. The first message opens the stream; later ones acknowledge what was received.
 */
export interface MetadataLogRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Who asks, -1 for a client of ours.
   */
  'brokerId': (number);
  /**
   * First offset wanted.
   */
  'fromOffset': (number);
}
