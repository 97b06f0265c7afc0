// Generated from proto/group.proto. Do not edit.

import type { ErrorCodeInput as _highwater_v1_ErrorCodeInput, ErrorCode as _highwater_v1_ErrorCode } from '../../highwater/v1/ErrorCode.ts';
import type { JoinedMemberInput as _highwater_v1_JoinedMemberInput, JoinedMember as _highwater_v1_JoinedMember } from '../../highwater/v1/JoinedMember.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * The generation it is in.
 */
export interface JoinGroupResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Error.
   */
  'error'?: (_highwater_v1_ErrorCodeInput);
  /**
   * -1 on error.
   */
  'generationId'?: (number);
  /**
   * Of the group.
   */
  'protocolType'?: (string);
  /**
   * The chosen protocol; empty on error.
   */
  'protocolName'?: (string);
  /**
   * Member id of the leader; empty on error.
   */
  'leader'?: (string);
  /**
   * Member id of the receiver.
   */
  'memberId'?: (string);
  /**
   * The leader need not assign again (wire G-23).
   */
  'skipAssignment'?: (boolean);
  /**
   * To the leader alone.
   */
  'members'?: (_highwater_v1_JoinedMemberInput)[];
}

/**
 * The generation it is in.
 */
export interface JoinGroupResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Error.
   */
  'error': (_highwater_v1_ErrorCode);
  /**
   * -1 on error.
   */
  'generationId': (number);
  /**
   * Of the group.
   */
  'protocolType': (string);
  /**
   * The chosen protocol; empty on error.
   */
  'protocolName': (string);
  /**
   * Member id of the leader; empty on error.
   */
  'leader': (string);
  /**
   * Member id of the receiver.
   */
  'memberId': (string);
  /**
   * The leader need not assign again (wire G-23).
   */
  'skipAssignment': (boolean);
  /**
   * To the leader alone.
   */
  'members': (_highwater_v1_JoinedMember)[];
}
