// Generated from proto/controller.proto. Do not edit.

import type { BrokerIdsInput as _highwater_v1_BrokerIdsInput, BrokerIds as _highwater_v1_BrokerIds } from '../../highwater/v1/BrokerIds.ts';

/**
 * Where one partition goes.
 */
export interface PartitionReassignmentInput {
  /**
   * Topic name.
   */
  'topic'?: (string);
  /**
   * Partition index.
   */
  'partition'?: (number);
  /**
   * Its brokers when done, the preferred leader first; absent: cancel what is under way.
   */
  'replicas'?: (_highwater_v1_BrokerIdsInput | null);
}

/**
 * Where one partition goes.
 */
export interface PartitionReassignment {
  /**
   * Topic name.
   */
  'topic': (string);
  /**
   * Partition index.
   */
  'partition': (number);
  /**
   * Its brokers when done, the preferred leader first; absent: cancel what is under way.
   */
  'replicas': (_highwater_v1_BrokerIds | null);
}
