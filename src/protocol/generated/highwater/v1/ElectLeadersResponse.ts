// Generated from proto/controller.proto. Do not edit.

import type { ElectionResultInput as _highwater_v1_ElectionResultInput, ElectionResult as _highwater_v1_ElectionResult } from '../../highwater/v1/ElectionResult.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Answer to ElectLeaders.
 */
export interface ElectLeadersResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * One entry a partition.
   */
  'results'?: (_highwater_v1_ElectionResultInput)[];
}

/**
 * Answer to ElectLeaders.
 */
export interface ElectLeadersResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * One entry a partition.
   */
  'results': (_highwater_v1_ElectionResult)[];
}
