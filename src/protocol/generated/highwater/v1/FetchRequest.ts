// Generated from proto/broker.proto. Do not edit.

import type { FetchPartitionInput as _highwater_v1_FetchPartitionInput, FetchPartition as _highwater_v1_FetchPartition } from '../../highwater/v1/FetchPartition.ts';
import type { TopicPartitionIdInput as _highwater_v1_TopicPartitionIdInput, TopicPartitionId as _highwater_v1_TopicPartitionId } from '../../highwater/v1/TopicPartitionId.ts';
import type { Long } from '@grpc/proto-loader';

/**
 * A fetch by a follower or a consumer.
 */
export interface FetchRequestInput {
  /**
   * Sender's Lamport time.
   */
  'lamport'?: (number | string | Long);
  /**
   * Broker id of a follower; -1 for a consumer (repl R-21).
   */
  'replicaId'?: (number);
  /**
   * Broker epoch of the follower; -1 if unknown.
   */
  'replicaEpoch'?: (number | string | Long);
  /**
   * Followers: which stream of this follower to this leader; the leader serves only the newest (repl T-28).
   */
  'streamGeneration'?: (number | string | Long);
  /**
   * Followers: number of this request on its stream, from 0.
   */
  'sequence'?: (number | string | Long);
  /**
   * Longest wait for min_bytes, ms.
   */
  'maxWaitMs'?: (number);
  /**
   * Answer at once when this much can be returned.
   */
  'minBytes'?: (number);
  /**
   * Budget of the whole response, bytes (repl R-29).
   */
  'maxBytes'?: (number);
  /**
   * 0 read_uncommitted, 1 read_committed.
   */
  'isolationLevel'?: (number);
  /**
   * True: `partitions` is the whole session from now on. False: only what changed since the last answered request.
   */
  'full'?: (boolean);
  /**
   * Partitions to fetch, in request order.
   */
  'partitions'?: (_highwater_v1_FetchPartitionInput)[];
  /**
   * Partitions that leave the session.
   */
  'forgotten'?: (_highwater_v1_TopicPartitionIdInput)[];
  /**
   * Consumers: their rack, so that the leader may point them to a replica there (repl R-35); empty for none.
   */
  'rackId'?: (string);
  /**
   * Consumers: only the leader may answer, as for the Kafka wire before version 11 (repl R-24).
   */
  'leaderOnly'?: (boolean);
}

/**
 * A fetch by a follower or a consumer.
 */
export interface FetchRequest {
  /**
   * Sender's Lamport time.
   */
  'lamport': (number);
  /**
   * Broker id of a follower; -1 for a consumer (repl R-21).
   */
  'replicaId': (number);
  /**
   * Broker epoch of the follower; -1 if unknown.
   */
  'replicaEpoch': (number);
  /**
   * Followers: which stream of this follower to this leader; the leader serves only the newest (repl T-28).
   */
  'streamGeneration': (number);
  /**
   * Followers: number of this request on its stream, from 0.
   */
  'sequence': (number);
  /**
   * Longest wait for min_bytes, ms.
   */
  'maxWaitMs': (number);
  /**
   * Answer at once when this much can be returned.
   */
  'minBytes': (number);
  /**
   * Budget of the whole response, bytes (repl R-29).
   */
  'maxBytes': (number);
  /**
   * 0 read_uncommitted, 1 read_committed.
   */
  'isolationLevel': (number);
  /**
   * True: `partitions` is the whole session from now on. False: only what changed since the last answered request.
   */
  'full': (boolean);
  /**
   * Partitions to fetch, in request order.
   */
  'partitions': (_highwater_v1_FetchPartition)[];
  /**
   * Partitions that leave the session.
   */
  'forgotten': (_highwater_v1_TopicPartitionId)[];
  /**
   * Consumers: their rack, so that the leader may point them to a replica there (repl R-35); empty for none.
   */
  'rackId': (string);
  /**
   * Consumers: only the leader may answer, as for the Kafka wire before version 11 (repl R-24).
   */
  'leaderOnly': (boolean);
}
