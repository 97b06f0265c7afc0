// Generated from proto/controller.proto. Do not edit.

import type { IsrMemberInput as _highwater_v1_IsrMemberInput, IsrMember as _highwater_v1_IsrMember } from '../../highwater/v1/IsrMember.ts';

/**
 * One proposal.
 */
export interface AlterPartitionEntryInput {
  /**
   * Topic id.
   */
  'topicId'?: (string);
  /**
   * Partition index.
   */
  'partition'?: (number);
  /**
   * Leader epoch of the proposer.
   */
  'leaderEpoch'?: (number);
  /**
   * Partition epoch the proposal is based on.
   */
  'partitionEpoch'?: (number);
  /**
   * The ISR wanted.
   */
  'newIsr'?: (_highwater_v1_IsrMemberInput)[];
  /**
   * "RECOVERED" or "RECOVERING".
   */
  'leaderRecoveryState'?: (string);
}

/**
 * One proposal.
 */
export interface AlterPartitionEntry {
  /**
   * Topic id.
   */
  'topicId': (string);
  /**
   * Partition index.
   */
  'partition': (number);
  /**
   * Leader epoch of the proposer.
   */
  'leaderEpoch': (number);
  /**
   * Partition epoch the proposal is based on.
   */
  'partitionEpoch': (number);
  /**
   * The ISR wanted.
   */
  'newIsr': (_highwater_v1_IsrMember)[];
  /**
   * "RECOVERED" or "RECOVERING".
   */
  'leaderRecoveryState': (string);
}
