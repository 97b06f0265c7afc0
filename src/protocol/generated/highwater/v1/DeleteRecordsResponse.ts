// Generated from proto/broker.proto. Do not edit.

import type { DeletedRecordsInput as _highwater_v1_DeletedRecordsInput, DeletedRecords as _highwater_v1_DeletedRecords } from '../../highwater/v1/DeletedRecords.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Answer to it: no live replica has them any more.
 */
export interface DeleteRecordsResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * In request order.
   */
  'partitions'?: (_highwater_v1_DeletedRecordsInput)[];
}

/**
 * Answer to it: no live replica has them any more.
 */
export interface DeleteRecordsResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * In request order.
   */
  'partitions': (_highwater_v1_DeletedRecords)[];
}
