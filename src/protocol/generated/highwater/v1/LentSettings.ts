// Generated from proto/agent.proto. Do not edit.

import type { ConfigEntryInput as _highwater_v1_ConfigEntryInput, ConfigEntry as _highwater_v1_ConfigEntry } from '../../highwater/v1/ConfigEntry.ts';

/**
 * Settings that a run lends to all nodes, instead of those that the cluster was made with.
 */
export interface LentSettingsInput {
  /**
   * Who lends them: nobody else may before they are given back.
   */
  'borrower'?: (string);
  /**
   * "kafka" or "fast".
   */
  'timers'?: (string);
  /**
   * Settings under Kafka's names.
   */
  'config'?: (_highwater_v1_ConfigEntryInput)[];
}

/**
 * Settings that a run lends to all nodes, instead of those that the cluster was made with.
 */
export interface LentSettings {
  /**
   * Who lends them: nobody else may before they are given back.
   */
  'borrower': (string);
  /**
   * "kafka" or "fast".
   */
  'timers': (string);
  /**
   * Settings under Kafka's names.
   */
  'config': (_highwater_v1_ConfigEntry)[];
}
