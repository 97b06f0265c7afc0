// Generated from proto/controller.proto. Do not edit.

import type { AlteredConfigsInput as _highwater_v1_AlteredConfigsInput, AlteredConfigs as _highwater_v1_AlteredConfigs } from '../../highwater/v1/AlteredConfigs.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Answer to AlterConfigs.
 */
export interface AlterConfigsResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * In request order.
   */
  'resources'?: (_highwater_v1_AlteredConfigsInput)[];
}

/**
 * Answer to AlterConfigs.
 */
export interface AlterConfigsResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * In request order.
   */
  'resources': (_highwater_v1_AlteredConfigs)[];
}
