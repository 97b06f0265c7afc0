// Generated from proto/group.proto. Do not edit.


/**
 * A member as the leader of the group sees it.
 */
export interface JoinedMemberInput {
  /**
   * Member id.
   */
  'memberId'?: (string);
  /**
   * Static name; empty if dynamic.
   */
  'groupInstanceId'?: (string);
  /**
   * Under the chosen protocol.
   */
  'metadata'?: (Buffer | Uint8Array | string);
}

/**
 * A member as the leader of the group sees it.
 */
export interface JoinedMember {
  /**
   * Member id.
   */
  'memberId': (string);
  /**
   * Static name; empty if dynamic.
   */
  'groupInstanceId': (string);
  /**
   * Under the chosen protocol.
   */
  'metadata': (Buffer);
}
