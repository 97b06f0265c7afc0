// Generated from proto/group.proto. Do not edit.

import type { DescribedGroupInput as _highwater_v1_DescribedGroupInput, DescribedGroup as _highwater_v1_DescribedGroup } from '../../highwater/v1/DescribedGroup.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Answer to it.
 */
export interface DescribeGroupsResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * In request order.
   */
  'groups'?: (_highwater_v1_DescribedGroupInput)[];
}

/**
 * Answer to it.
 */
export interface DescribeGroupsResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * In request order.
   */
  'groups': (_highwater_v1_DescribedGroup)[];
}
