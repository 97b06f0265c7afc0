// Generated from proto/controller.proto. Do not edit.

import type { AlterPartitionEntryInput as _highwater_v1_AlterPartitionEntryInput, AlterPartitionEntry as _highwater_v1_AlterPartitionEntry } from '../../highwater/v1/AlterPartitionEntry.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * ISR changes proposed by one leader broker; several partitions a request.
 */
export interface AlterPartitionRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * The leader's broker id.
   */
  'brokerId'?: (number);
  /**
   * Its epoch.
   */
  'brokerEpoch'?: (number | string | Long);
  /**
   * One entry a partition.
   */
  'partitions'?: (_highwater_v1_AlterPartitionEntryInput)[];
  /**
   * Rises with each request of the sender's process: one that comes behind a later one is refused.
   */
  'sequence'?: (number | string | Long);
  /**
   * Process epoch of the controller it is meant for: another process refuses it.
   */
  'controllerEpoch'?: (number | string | Long);
}

/**
 * ISR changes proposed by one leader broker; several partitions a request.
 */
export interface AlterPartitionRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * The leader's broker id.
   */
  'brokerId': (number);
  /**
   * Its epoch.
   */
  'brokerEpoch': (number);
  /**
   * One entry a partition.
   */
  'partitions': (_highwater_v1_AlterPartitionEntry)[];
  /**
   * Rises with each request of the sender's process: one that comes behind a later one is refused.
   */
  'sequence': (number);
  /**
   * Process epoch of the controller it is meant for: another process refuses it.
   */
  'controllerEpoch': (number);
}
