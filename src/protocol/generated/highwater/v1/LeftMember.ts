// Generated from proto/group.proto. Do not edit.

import type { ErrorCodeInput as _highwater_v1_ErrorCodeInput, ErrorCode as _highwater_v1_ErrorCode } from '../../highwater/v1/ErrorCode.ts';

/**
 * One of them.
 */
export interface LeftMemberInput {
  /**
   * Member id.
   */
  'memberId'?: (string);
  /**
   * Static name.
   */
  'groupInstanceId'?: (string);
  /**
   * Its error.
   */
  'error'?: (_highwater_v1_ErrorCodeInput);
}

/**
 * One of them.
 */
export interface LeftMember {
  /**
   * Member id.
   */
  'memberId': (string);
  /**
   * Static name.
   */
  'groupInstanceId': (string);
  /**
   * Its error.
   */
  'error': (_highwater_v1_ErrorCode);
}
