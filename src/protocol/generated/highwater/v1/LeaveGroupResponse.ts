// Generated from proto/group.proto. Do not edit.

import type { ErrorCodeInput as _highwater_v1_ErrorCodeInput, ErrorCode as _highwater_v1_ErrorCode } from '../../highwater/v1/ErrorCode.ts';
import type { LeftMemberInput as _highwater_v1_LeftMemberInput, LeftMember as _highwater_v1_LeftMember } from '../../highwater/v1/LeftMember.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Answer to it.
 */
export interface LeaveGroupResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Error of the whole request.
   */
  'error'?: (_highwater_v1_ErrorCodeInput);
  /**
   * In request order.
   */
  'members'?: (_highwater_v1_LeftMemberInput)[];
}

/**
 * Answer to it.
 */
export interface LeaveGroupResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Error of the whole request.
   */
  'error': (_highwater_v1_ErrorCode);
  /**
   * In request order.
   */
  'members': (_highwater_v1_LeftMember)[];
}
