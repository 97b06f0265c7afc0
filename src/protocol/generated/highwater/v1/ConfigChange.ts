// Generated from proto/controller.proto. Do not edit.


/**
 * The change of one setting.
 */
export interface ConfigChangeInput {
  /**
   * Kafka's name.
   */
  'name'?: (string);
  /**
   * "SET", "DELETE", "APPEND" or "SUBTRACT".
   */
  'operation'?: (string);
  /**
   * What to set, append or subtract.
   */
  'value'?: (string);
  /**
   * Whether there is a value.
   */
  'hasValue'?: (boolean);
}

/**
 * The change of one setting.
 */
export interface ConfigChange {
  /**
   * Kafka's name.
   */
  'name': (string);
  /**
   * "SET", "DELETE", "APPEND" or "SUBTRACT".
   */
  'operation': (string);
  /**
   * What to set, append or subtract.
   */
  'value': (string);
  /**
   * Whether there is a value.
   */
  'hasValue': (boolean);
}
