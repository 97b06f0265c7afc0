// Generated from proto/common.proto. Do not edit.


/**
 * A configuration value of a topic.
 */
export interface ConfigRecordInput {
  /**
   * Topic name.
   */
  'topic'?: (string);
  /**
   * Kafka's name.
   */
  'name'?: (string);
  /**
   * Value; absent removes it.
   */
  'value'?: (string);
  /**
   * True if the value is removed.
   */
  'removed'?: (boolean);
}

/**
 * A configuration value of a topic.
 */
export interface ConfigRecord {
  /**
   * Topic name.
   */
  'topic': (string);
  /**
   * Kafka's name.
   */
  'name': (string);
  /**
   * Value; absent removes it.
   */
  'value': (string);
  /**
   * True if the value is removed.
   */
  'removed': (boolean);
}
