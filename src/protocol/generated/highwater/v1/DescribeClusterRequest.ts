// Generated from proto/controller.proto. Do not edit.

import type { Long } from '@grpc/proto-loader';

/**
 * Asks for the cluster as the controller has it.
 */
export interface DescribeClusterRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
}

/**
 * Asks for the cluster as the controller has it.
 */
export interface DescribeClusterRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
}
