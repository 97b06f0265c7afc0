// Generated from proto/faults.proto. Do not edit.

import type { FaultSpecInput as _highwater_v1_FaultSpecInput, FaultSpec as _highwater_v1_FaultSpec } from '../../highwater/v1/FaultSpec.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Arms a fault.
 */
export interface ArmFaultRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * The fault.
   */
  'fault'?: (_highwater_v1_FaultSpecInput | null);
}

/**
 * Arms a fault.
 */
export interface ArmFaultRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * The fault.
   */
  'fault': (_highwater_v1_FaultSpec | null);
}
