// Generated from proto/group.proto. Do not edit.

import type { DeletedGroupInput as _highwater_v1_DeletedGroupInput, DeletedGroup as _highwater_v1_DeletedGroup } from '../../highwater/v1/DeletedGroup.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Answer to it.
 */
export interface DeleteGroupsResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * In request order.
   */
  'groups'?: (_highwater_v1_DeletedGroupInput)[];
}

/**
 * Answer to it.
 */
export interface DeleteGroupsResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * In request order.
   */
  'groups': (_highwater_v1_DeletedGroup)[];
}
