// Generated from proto/controller.proto. Do not edit.

import type { BrokerIdsInput as _highwater_v1_BrokerIdsInput, BrokerIds as _highwater_v1_BrokerIds } from '../../highwater/v1/BrokerIds.ts';

/**
 * How many one topic is to have.
 */
export interface MorePartitionsInput {
  /**
   * Name.
   */
  'name'?: (string);
  /**
   * Number of partitions, those that it has included.
   */
  'count'?: (number);
  /**
   * Whether the new ones are placed by hand.
   */
  'hasAssignments'?: (boolean);
  /**
   * Then entry i is where the i-th new partition goes.
   */
  'assignments'?: (_highwater_v1_BrokerIdsInput)[];
}

/**
 * How many one topic is to have.
 */
export interface MorePartitions {
  /**
   * Name.
   */
  'name': (string);
  /**
   * Number of partitions, those that it has included.
   */
  'count': (number);
  /**
   * Whether the new ones are placed by hand.
   */
  'hasAssignments': (boolean);
  /**
   * Then entry i is where the i-th new partition goes.
   */
  'assignments': (_highwater_v1_BrokerIds)[];
}
