// Generated from proto/common.proto. Do not edit.


/**
 * A feature level.
 */
export interface FeatureLevelRecordInput {
  /**
   * Kafka's name of the feature.
   */
  'name'?: (string);
  /**
   * Its level from now on.
   */
  'level'?: (number);
}

/**
 * A feature level.
 */
export interface FeatureLevelRecord {
  /**
   * Kafka's name of the feature.
   */
  'name': (string);
  /**
   * Its level from now on.
   */
  'level': (number);
}
