// Generated from proto/group.proto. Do not edit.

import type { GroupProtocolInput as _highwater_v1_GroupProtocolInput, GroupProtocol as _highwater_v1_GroupProtocol } from '../../highwater/v1/GroupProtocol.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * A member wants to be in the next generation (wire G-15 to G-24).
 */
export interface JoinGroupRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Group id.
   */
  'groupId'?: (string);
  /**
   * The coordinator forgets a member silent for this long, ms.
   */
  'sessionTimeoutMs'?: (number);
  /**
   * How long a rebalance waits for this member, ms.
   */
  'rebalanceTimeoutMs'?: (number);
  /**
   * Empty for a new member.
   */
  'memberId'?: (string);
  /**
   * Name of a static member; empty if dynamic.
   */
  'groupInstanceId'?: (string);
  /**
   * "consumer" for consumers.
   */
  'protocolType'?: (string);
  /**
   * In order of preference.
   */
  'protocols'?: (_highwater_v1_GroupProtocolInput)[];
  /**
   * For people.
   */
  'clientId'?: (string);
  /**
   * For people.
   */
  'clientHost'?: (string);
  /**
   * Kafka's version of the request whose behaviour is wanted; 0 means the newest (9).
   */
  'version'?: (number);
}

/**
 * A member wants to be in the next generation (wire G-15 to G-24).
 */
export interface JoinGroupRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Group id.
   */
  'groupId': (string);
  /**
   * The coordinator forgets a member silent for this long, ms.
   */
  'sessionTimeoutMs': (number);
  /**
   * How long a rebalance waits for this member, ms.
   */
  'rebalanceTimeoutMs': (number);
  /**
   * Empty for a new member.
   */
  'memberId': (string);
  /**
   * Name of a static member; empty if dynamic.
   */
  'groupInstanceId': (string);
  /**
   * "consumer" for consumers.
   */
  'protocolType': (string);
  /**
   * In order of preference.
   */
  'protocols': (_highwater_v1_GroupProtocol)[];
  /**
   * For people.
   */
  'clientId': (string);
  /**
   * For people.
   */
  'clientHost': (string);
  /**
   * Kafka's version of the request whose behaviour is wanted; 0 means the newest (9).
   */
  'version': (number);
}
