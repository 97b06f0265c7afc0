// Generated from proto/group.proto. Do not edit.


/**
 * A protocol that a member supports.
 */
export interface GroupProtocolInput {
  /**
   * Its name.
   */
  'name'?: (string);
  /**
   * What the member says under it; opaque to the coordinator.
   */
  'metadata'?: (Buffer | Uint8Array | string);
}

/**
 * A protocol that a member supports.
 */
export interface GroupProtocol {
  /**
   * Its name.
   */
  'name': (string);
  /**
   * What the member says under it; opaque to the coordinator.
   */
  'metadata': (Buffer);
}
