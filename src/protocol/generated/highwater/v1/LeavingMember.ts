// Generated from proto/group.proto. Do not edit.


/**
 * One of them.
 */
export interface LeavingMemberInput {
  /**
   * Member id; empty with an instance id: an administrator removes it.
   */
  'memberId'?: (string);
  /**
   * Static name; empty if dynamic.
   */
  'groupInstanceId'?: (string);
}

/**
 * One of them.
 */
export interface LeavingMember {
  /**
   * Member id; empty with an instance id: an administrator removes it.
   */
  'memberId': (string);
  /**
   * Static name; empty if dynamic.
   */
  'groupInstanceId': (string);
}
