// Generated from proto/transaction.proto. Do not edit.

import type { CoordinatorInput as _highwater_v1_CoordinatorInput, Coordinator as _highwater_v1_Coordinator } from '../../highwater/v1/Coordinator.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Who coordinates them. A hint: the coordinator checks again.
 */
export interface FindCoordinatorResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * In request order.
   */
  'coordinators'?: (_highwater_v1_CoordinatorInput)[];
}

/**
 * Who coordinates them. A hint: the coordinator checks again.
 */
export interface FindCoordinatorResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * In request order.
   */
  'coordinators': (_highwater_v1_Coordinator)[];
}
