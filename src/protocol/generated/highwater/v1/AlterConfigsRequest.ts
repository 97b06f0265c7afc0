// Generated from proto/controller.proto. Do not edit.

import type { AlteredResourceInput as _highwater_v1_AlteredResourceInput, AlteredResource as _highwater_v1_AlteredResource } from '../../highwater/v1/AlteredResource.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Settings to change.
 */
export interface AlterConfigsRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Each of them succeeds or fails as a whole.
   */
  'resources'?: (_highwater_v1_AlteredResourceInput)[];
  /**
   * Check only.
   */
  'validateOnly'?: (boolean);
}

/**
 * Settings to change.
 */
export interface AlterConfigsRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Each of them succeeds or fails as a whole.
   */
  'resources': (_highwater_v1_AlteredResource)[];
  /**
   * Check only.
   */
  'validateOnly': (boolean);
}
