// Generated from proto/broker.proto. Do not edit.

import type { ReplicaDescriptionInput as _highwater_v1_ReplicaDescriptionInput, ReplicaDescription as _highwater_v1_ReplicaDescription } from '../../highwater/v1/ReplicaDescription.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * What the replicas of one broker hold.
 */
export interface DescribeReplicasResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * One entry a hosted partition.
   */
  'replicas'?: (_highwater_v1_ReplicaDescriptionInput)[];
}

/**
 * What the replicas of one broker hold.
 */
export interface DescribeReplicasResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * One entry a hosted partition.
   */
  'replicas': (_highwater_v1_ReplicaDescription)[];
}
