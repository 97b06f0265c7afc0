// Generated from proto/common.proto. Do not edit.


/**
 * One configuration entry under Kafka's own name, such as "min.insync.replicas".
 */
export interface ConfigEntryInput {
  /**
   * Kafka's name of the setting.
   */
  'name'?: (string);
  /**
   * Its value as text.
   */
  'value'?: (string);
}

/**
 * One configuration entry under Kafka's own name, such as "min.insync.replicas".
 */
export interface ConfigEntry {
  /**
   * Kafka's name of the setting.
   */
  'name': (string);
  /**
   * Its value as text.
   */
  'value': (string);
}
