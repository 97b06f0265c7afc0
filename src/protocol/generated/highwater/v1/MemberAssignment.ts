// Generated from proto/group.proto. Do not edit.


/**
 * What one member is assigned.
 */
export interface MemberAssignmentInput {
  /**
   * Member id.
   */
  'memberId'?: (string);
  /**
   * Opaque to the coordinator.
   */
  'assignment'?: (Buffer | Uint8Array | string);
}

/**
 * What one member is assigned.
 */
export interface MemberAssignment {
  /**
   * Member id.
   */
  'memberId': (string);
  /**
   * Opaque to the coordinator.
   */
  'assignment': (Buffer);
}
