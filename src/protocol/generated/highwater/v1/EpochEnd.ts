// Generated from proto/broker.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * An epoch and the offset where it ends.
 */
export interface EpochEndInput {
  /**
   * Leader epoch; -1 undefined.
   */
  'epoch'?: (number);
  /**
   * First offset not of that epoch; -1 undefined.
   */
  'endOffset'?: (number | string | Long);
}

/**
 * An epoch and the offset where it ends.
 */
export interface EpochEnd {
  /**
   * Leader epoch; -1 undefined.
   */
  'epoch': (number);
  /**
   * First offset not of that epoch; -1 undefined.
   */
  'endOffset': (number);
}
