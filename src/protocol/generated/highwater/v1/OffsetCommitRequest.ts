// Generated from proto/group.proto. Do not edit.

import type { OffsetToCommitInput as _highwater_v1_OffsetToCommitInput, OffsetToCommit as _highwater_v1_OffsetToCommit } from '../../highwater/v1/OffsetToCommit.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * A member commits what it has read (wire G-31 to G-34).
 */
export interface OffsetCommitRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Group id.
   */
  'groupId'?: (string);
  /**
   * -1 from outside the group.
   */
  'generationId'?: (number);
  /**
   * Member id; empty from outside the group.
   */
  'memberId'?: (string);
  /**
   * Static name; empty if dynamic.
   */
  'groupInstanceId'?: (string);
  /**
   * The offsets.
   */
  'offsets'?: (_highwater_v1_OffsetToCommitInput)[];
  /**
   * Whether the commit says itself for how long it holds; else offsets.retention.minutes counts (wire G-41).
   */
  'hasRetentionTime'?: (boolean);
  /**
   * How long, ms from its arrival.
   */
  'retentionTimeMs'?: (number | string | Long);
}

/**
 * A member commits what it has read (wire G-31 to G-34).
 */
export interface OffsetCommitRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Group id.
   */
  'groupId': (string);
  /**
   * -1 from outside the group.
   */
  'generationId': (number);
  /**
   * Member id; empty from outside the group.
   */
  'memberId': (string);
  /**
   * Static name; empty if dynamic.
   */
  'groupInstanceId': (string);
  /**
   * The offsets.
   */
  'offsets': (_highwater_v1_OffsetToCommit)[];
  /**
   * Whether the commit says itself for how long it holds; else offsets.retention.minutes counts (wire G-41).
   */
  'hasRetentionTime': (boolean);
  /**
   * How long, ms from its arrival.
   */
  'retentionTimeMs': (number);
}
