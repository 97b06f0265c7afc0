// Generated from proto/group.proto. Do not edit.

import type { ErrorCodeInput as _highwater_v1_ErrorCodeInput, ErrorCode as _highwater_v1_ErrorCode } from '../../highwater/v1/ErrorCode.ts';
import type { ListedGroupInput as _highwater_v1_ListedGroupInput, ListedGroup as _highwater_v1_ListedGroup } from '../../highwater/v1/ListedGroup.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Answer to it.
 */
export interface ListGroupsResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * COORDINATOR_LOAD_IN_PROGRESS while any partition loads.
   */
  'error'?: (_highwater_v1_ErrorCodeInput);
  /**
   * The groups.
   */
  'groups'?: (_highwater_v1_ListedGroupInput)[];
}

/**
 * Answer to it.
 */
export interface ListGroupsResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * COORDINATOR_LOAD_IN_PROGRESS while any partition loads.
   */
  'error': (_highwater_v1_ErrorCode);
  /**
   * The groups.
   */
  'groups': (_highwater_v1_ListedGroup)[];
}
