// Generated from proto/controller.proto. Do not edit.

import type { ConfigChangeInput as _highwater_v1_ConfigChangeInput, ConfigChange as _highwater_v1_ConfigChange } from '../../highwater/v1/ConfigChange.ts';

/**
 * The changes of one topic.
 */
export interface AlteredResourceInput {
  /**
   * "topic", or whatever else was asked for, which is refused.
   */
  'type'?: (string);
  /**
   * Name.
   */
  'name'?: (string);
  /**
   * Settings that are not named go back to their defaults.
   */
  'replace'?: (boolean);
  /**
   * One entry a setting.
   */
  'changes'?: (_highwater_v1_ConfigChangeInput)[];
}

/**
 * The changes of one topic.
 */
export interface AlteredResource {
  /**
   * "topic", or whatever else was asked for, which is refused.
   */
  'type': (string);
  /**
   * Name.
   */
  'name': (string);
  /**
   * Settings that are not named go back to their defaults.
   */
  'replace': (boolean);
  /**
   * One entry a setting.
   */
  'changes': (_highwater_v1_ConfigChange)[];
}
