// Generated from proto/controller.proto. Do not edit.

import type { MetadataRecordInput as _highwater_v1_MetadataRecordInput, MetadataRecord as _highwater_v1_MetadataRecord } from '../../highwater/v1/MetadataRecord.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * A stretch of the committed metadata log.
 */
export interface DescribeMetadataLogResponseInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * First offset that the log still holds.
   */
  'startOffset'?: (number | string | Long);
  /**
   * End of the committed log, exclusive.
   */
  'endOffset'?: (number | string | Long);
  /**
   * The newest snapshot stands for the log below this offset; -1: there is none.
   */
  'snapshotOffset'?: (number | string | Long);
  /**
   * Records of that snapshot.
   */
  'snapshotCount'?: (number);
  /**
   * Offset of the first record here, or which record of the snapshot it is.
   */
  'baseOffset'?: (number | string | Long);
  /**
   * The records; none behind the end.
   */
  'records'?: (_highwater_v1_MetadataRecordInput)[];
}

/**
 * A stretch of the committed metadata log.
 */
export interface DescribeMetadataLogResponse {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * First offset that the log still holds.
   */
  'startOffset': (number);
  /**
   * End of the committed log, exclusive.
   */
  'endOffset': (number);
  /**
   * The newest snapshot stands for the log below this offset; -1: there is none.
   */
  'snapshotOffset': (number);
  /**
   * Records of that snapshot.
   */
  'snapshotCount': (number);
  /**
   * Offset of the first record here, or which record of the snapshot it is.
   */
  'baseOffset': (number);
  /**
   * The records; none behind the end.
   */
  'records': (_highwater_v1_MetadataRecord)[];
}
