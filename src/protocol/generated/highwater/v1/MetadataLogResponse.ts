// Generated from proto/controller.proto. Do not edit.

import type { MetadataRecordInput as _highwater_v1_MetadataRecordInput, MetadataRecord as _highwater_v1_MetadataRecord } from '../../highwater/v1/MetadataRecord.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * Committed metadata records, in order.
 */
export interface MetadataLogResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Offset of the first record here.
   */
  'baseOffset'?: (number | string | Long);
  /**
   * The records. May be empty: then it only says where the log ends.
   */
  'records'?: (_highwater_v1_MetadataRecordInput)[];
  /**
   * End of the committed log, exclusive.
   */
  'endOffset'?: (number | string | Long);
  /**
   * Process epoch of the controller.
   */
  'controllerEpoch'?: (number | string | Long);
  /**
   * The log that a reader asked for is gone below this offset: the records here are a snapshot that stands for it, and
   * base_offset counts them. 0: they are records of the log.
   */
  'snapshotOffset'?: (number | string | Long);
  /**
   * Records of the snapshot in all.
   */
  'snapshotCount'?: (number);
}

/**
 * Committed metadata records, in order.
 */
export interface MetadataLogResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Offset of the first record here.
   */
  'baseOffset': (number);
  /**
   * The records. May be empty: then it only says where the log ends.
   */
  'records': (_highwater_v1_MetadataRecord)[];
  /**
   * End of the committed log, exclusive.
   */
  'endOffset': (number);
  /**
   * Process epoch of the controller.
   */
  'controllerEpoch': (number);
  /**
   * The log that a reader asked for is gone below this offset: the records here are a snapshot that stands for it, and
   * base_offset counts them. 0: they are records of the log.
   */
  'snapshotOffset': (number);
  /**
   * Records of the snapshot in all.
   */
  'snapshotCount': (number);
}
