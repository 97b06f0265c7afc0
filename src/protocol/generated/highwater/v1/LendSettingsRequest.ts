// Generated from proto/agent.proto. Do not edit.

import type { LentSettingsInput as _highwater_v1_LentSettingsInput, LentSettings as _highwater_v1_LentSettings } from '../../highwater/v1/LentSettings.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Lends settings.
 */
export interface LendSettingsRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Absent: what was lent is given back.
   */
  'settings'?: (_highwater_v1_LentSettingsInput | null);
}

/**
 * Lends settings.
 */
export interface LendSettingsRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Absent: what was lent is given back.
   */
  'settings': (_highwater_v1_LentSettings | null);
}
