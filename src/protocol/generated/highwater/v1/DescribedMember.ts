// Generated from proto/group.proto. Do not edit.


/**
 * One member.
 */
export interface DescribedMemberInput {
  /**
   * Member id.
   */
  'memberId'?: (string);
  /**
   * Static name; empty if dynamic.
   */
  'groupInstanceId'?: (string);
  /**
   * What it said of itself.
   */
  'clientId'?: (string);
  /**
   * Where it is.
   */
  'clientHost'?: (string);
  /**
   * Under the chosen protocol, if Stable.
   */
  'metadata'?: (Buffer | Uint8Array | string);
  /**
   * Its assignment, if Stable.
   */
  'assignment'?: (Buffer | Uint8Array | string);
}

/**
 * One member.
 */
export interface DescribedMember {
  /**
   * Member id.
   */
  'memberId': (string);
  /**
   * Static name; empty if dynamic.
   */
  'groupInstanceId': (string);
  /**
   * What it said of itself.
   */
  'clientId': (string);
  /**
   * Where it is.
   */
  'clientHost': (string);
  /**
   * Under the chosen protocol, if Stable.
   */
  'metadata': (Buffer);
  /**
   * Its assignment, if Stable.
   */
  'assignment': (Buffer);
}
