// Generated from proto/group.proto. Do not edit.

import type { LeavingMemberInput as _highwater_v1_LeavingMemberInput, LeavingMember as _highwater_v1_LeavingMember } from '../../highwater/v1/LeavingMember.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Members leave (wire G-29).
 */
export interface LeaveGroupRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Group id.
   */
  'groupId'?: (string);
  /**
   * Who leaves.
   */
  'members'?: (_highwater_v1_LeavingMemberInput)[];
}

/**
 * Members leave (wire G-29).
 */
export interface LeaveGroupRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Group id.
   */
  'groupId': (string);
  /**
   * Who leaves.
   */
  'members': (_highwater_v1_LeavingMember)[];
}
