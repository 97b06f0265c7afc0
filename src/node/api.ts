// What a broker offers to clients, as its shells (gRPC, the Kafka wire listener) call it. No shell decides anything about Kafka.
import type { Offset } from '../base/units.ts';
import type { RequestOf, ResponseOf } from '../protocol/apis.ts';
import type { AdminApi } from './admin-api.ts';
import type { CoordinatorApi } from './coordinators.ts';

/** Withdraws a request whose asker is gone. Its effect stands; its answer is dropped (wire W-15). */
export type Cancel = () => void;

/** How a produce reached the broker, where that matters. */
export interface ProduceOrigin {
  /** False for Produce below v7: zstd is refused (repl R-117 (3)). */
  readonly zstdAllowed: boolean;
}

/** What the cluster has agreed on, as a broker's metadata has it. */
export interface ClusterFeatures {
  /** Finalized level of transaction.version (txn T-190). */
  readonly transactionVersion: number;
  /** Finalized level of eligible.leader.replicas.version (repl R-98). */
  readonly elrVersion: number;
  /** Offset of the newest metadata record that this broker has applied: the epoch of what it says (wire W-19). */
  readonly metadataOffset: Offset;
}

export interface BrokerApi {
  /** What administrators ask. */
  readonly admin: AdminApi;
  /**
   * Repl. Also acks=0 is answered (at once, after the append): the shell sends nothing then, and
   * closes the connection if a partition failed (wire W-14).
   */
  produce(
    request: RequestOf<'Produce'>,
    origin: ProduceOrigin,
    answer: (response: ResponseOf<'Produce'>) => void,
  ): Cancel;
  /** Consumer fetch (repl ), long polled. One answer a partition, in request order. */
  fetch(request: RequestOf<'ConsumerFetch'>, answer: (response: ResponseOf<'ConsumerFetch'>) => void): Cancel;
  listOffsets(request: RequestOf<'ListOffsets'>, answer: (response: ResponseOf<'ListOffsets'>) => void): void;
  offsetsForLeaderEpoch(
    request: RequestOf<'OffsetsForLeaderEpoch'>,
    answer: (response: ResponseOf<'OffsetsForLeaderEpoch'>) => void,
  ): void;
  /** An identity for a producer that numbers its batches, or of a transactional id (txn T-38 to T-53). */
  initProducerId(request: RequestOf<'InitProducerId'>, answer: (response: ResponseOf<'InitProducerId'>) => void): void;
  /** Creates unknown topics if asked and allowed, answering UNKNOWN_TOPIC_OR_PARTITION for now (wire W-69). */
  metadata(request: RequestOf<'Metadata'>, answer: (response: ResponseOf<'Metadata'>) => void): void;
  describeReplicas(
    request: RequestOf<'DescribeReplicas'>,
    answer: (response: ResponseOf<'DescribeReplicas'>) => void,
  ): void;
  /** Who coordinates groups or transactional ids; creates the internal topic if need be (txn T-6, wire G-3). */
  findCoordinator(
    request: RequestOf<'FindCoordinator'>,
    answer: (response: ResponseOf<'FindCoordinator'>) => void,
  ): void;
  /** What is known of producers (txn T-178). */
  describeProducers(
    request: RequestOf<'DescribeProducers'>,
    answer: (response: ResponseOf<'DescribeProducers'>) => void,
  ): void;
  /** Markers of an administrator, who is not believed to know the variant of a transaction (txn T-179, wire W-86). */
  abortTransaction(
    request: RequestOf<'AbortTransaction'>,
    answer: (response: ResponseOf<'AbortTransaction'>) => void,
  ): void;
  /** What the versions that clients are offered depend on (wire section 3). */
  features(answer: (features: ClusterFeatures) => void): void;
  /** Asks a coordinator of this broker. The API decides which. */
  coordinate<A extends CoordinatorApi>(api: A, request: RequestOf<A>, answer: (response: ResponseOf<A>) => void): void;
  /** Name of a topic by id as this broker's metadata has it (wire W-68, Fetch 13). */
  topicName(topicId: string): string | undefined;
  topicId(name: string): string | undefined;
}
