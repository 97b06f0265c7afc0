// Generated from proto/common.proto. Do not edit.


/**
 * A configuration value of a topic, or of all of them.
 */
export interface ConfigRecordInput {
  /**
   * Topic name; empty: the cluster's value, which stands in for the nodes' own (repl R-119).
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
 * A configuration value of a topic, or of all of them.
 */
export interface ConfigRecord {
  /**
   * Topic name; empty: the cluster's value, which stands in for the nodes' own (repl R-119).
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
