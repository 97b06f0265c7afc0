// Generated from proto/group.proto. Do not edit.

import type { MemberAssignmentInput as _highwater_v1_MemberAssignmentInput, MemberAssignment as _highwater_v1_MemberAssignment } from '../../highwater/v1/MemberAssignment.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * A member asks for its assignment; the leader brings them (wire G-25, G-26).
 */
export interface SyncGroupRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Group id.
   */
  'groupId'?: (string);
  /**
   * Generation of the JoinGroup answer.
   */
  'generationId'?: (number);
  /**
   * Member id.
   */
  'memberId'?: (string);
  /**
   * Static name; empty if dynamic.
   */
  'groupInstanceId'?: (string);
  /**
   * Of the group; empty: not compared.
   */
  'protocolType'?: (string);
  /**
   * The chosen protocol; empty: not compared.
   */
  'protocolName'?: (string);
  /**
   * From the leader.
   */
  'assignments'?: (_highwater_v1_MemberAssignmentInput)[];
}

/**
 * A member asks for its assignment; the leader brings them (wire G-25, G-26).
 */
export interface SyncGroupRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Group id.
   */
  'groupId': (string);
  /**
   * Generation of the JoinGroup answer.
   */
  'generationId': (number);
  /**
   * Member id.
   */
  'memberId': (string);
  /**
   * Static name; empty if dynamic.
   */
  'groupInstanceId': (string);
  /**
   * Of the group; empty: not compared.
   */
  'protocolType': (string);
  /**
   * The chosen protocol; empty: not compared.
   */
  'protocolName': (string);
  /**
   * From the leader.
   */
  'assignments': (_highwater_v1_MemberAssignment)[];
}
