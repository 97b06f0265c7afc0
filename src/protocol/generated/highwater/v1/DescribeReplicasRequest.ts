// Generated from proto/broker.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * Asks a broker what its replicas hold.
 */
export interface DescribeReplicasRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Topic name; empty: all.
   */
  'topic'?: (string);
  /**
   * Partition index; -1: all.
   */
  'partition'?: (number);
  /**
   * Also return the batches' headers and record values, from this offset; -1: no.
   */
  'fromOffset'?: (number | string | Long);
  /**
   * At most this many batches.
   */
  'maxBatches'?: (number);
}

/**
 * Asks a broker what its replicas hold.
 */
export interface DescribeReplicasRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Topic name; empty: all.
   */
  'topic': (string);
  /**
   * Partition index; -1: all.
   */
  'partition': (number);
  /**
   * Also return the batches' headers and record values, from this offset; -1: no.
   */
  'fromOffset': (number);
  /**
   * At most this many batches.
   */
  'maxBatches': (number);
}
