// Generated from proto/group.proto. Do not edit.

import type { ErrorCodeInput as _highwater_v1_ErrorCodeInput, ErrorCode as _highwater_v1_ErrorCode } from '../../highwater/v1/ErrorCode.ts';
import type { DescribedMemberInput as _highwater_v1_DescribedMemberInput, DescribedMember as _highwater_v1_DescribedMember } from '../../highwater/v1/DescribedMember.ts';

/**
 * One group.
 */
export interface DescribedGroupInput {
  /**
   * Group id.
   */
  'groupId'?: (string);
  /**
   * Its error.
   */
  'error'?: (_highwater_v1_ErrorCodeInput);
  /**
   * Kafka's name of its state; "Dead" if there is none.
   */
  'state'?: (string);
  /**
   * "consumer", or whatever its members say.
   */
  'protocolType'?: (string);
  /**
   * The chosen protocol, if Stable.
   */
  'protocol'?: (string);
  /**
   * Generation.
   */
  'generationId'?: (number);
  /**
   * Its members.
   */
  'members'?: (_highwater_v1_DescribedMemberInput)[];
}

/**
 * One group.
 */
export interface DescribedGroup {
  /**
   * Group id.
   */
  'groupId': (string);
  /**
   * Its error.
   */
  'error': (_highwater_v1_ErrorCode);
  /**
   * Kafka's name of its state; "Dead" if there is none.
   */
  'state': (string);
  /**
   * "consumer", or whatever its members say.
   */
  'protocolType': (string);
  /**
   * The chosen protocol, if Stable.
   */
  'protocol': (string);
  /**
   * Generation.
   */
  'generationId': (number);
  /**
   * Its members.
   */
  'members': (_highwater_v1_DescribedMember)[];
}
