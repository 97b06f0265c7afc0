// Generated from proto/group.proto. Do not edit.


/**
 * One of them.
 */
export interface ListedGroupInput {
  /**
   * Group id.
   */
  'groupId'?: (string);
  /**
   * "consumer", or whatever its members say; empty: offsets alone.
   */
  'protocolType'?: (string);
  /**
   * Kafka's name of its state.
   */
  'state'?: (string);
}

/**
 * One of them.
 */
export interface ListedGroup {
  /**
   * Group id.
   */
  'groupId': (string);
  /**
   * "consumer", or whatever its members say; empty: offsets alone.
   */
  'protocolType': (string);
  /**
   * Kafka's name of its state.
   */
  'state': (string);
}
