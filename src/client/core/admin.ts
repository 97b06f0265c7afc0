// Administration: topics and elections at the controller, questions to brokers. Questions are asked again until they are
// answered or default.api.timeout.ms is over; what changes something is sent once, so that its outcome is never guessed.
import type { NodeId, Offset, TopicPartition } from '../../base/units.ts';
import { CONTROLLER_ID } from '../../base/units.ts';
import type { ResponseOf } from '../../protocol/apis.ts';
import type {
  AlteredReassignment,
  ConfigEntry,
  CreatedTopic,
  DeletedTopic,
  ElectionResult,
  OngoingReassignment,
} from '../../protocol/generated/index.ts';
import { AdminCalls, map, type AdminParts, type Done } from './admin-calls.ts';
import { GroupAdmin } from './admin-groups.ts';
import { TransactionAdmin } from './admin-transactions.ts';
import { isolationOf } from './config.ts';
import { OffsetListing, type ListedOffsetResult, type OffsetQuestion } from './list-offsets.ts';

export type { AdminFailure, AdminParts, AdminResult } from './admin-calls.ts';

/** A topic to create. What is left out is the cluster's default. */
export interface TopicSpec {
  readonly name: string;
  readonly partitions?: number;
  readonly replicationFactor?: number;
  /** Broker ids of each partition, preferred leader first; instead of the two numbers. */
  readonly assignments?: readonly (readonly NodeId[])[];
  readonly configs?: Readonly<Record<string, string>>;
}

/** An election asked for (repl ). `partition` left out: all of the topic. `to` belongs to type TO. */
export interface ElectionSpec {
  readonly type: 'PREFERRED' | 'UNCLEAN' | 'TO';
  readonly topic: string;
  readonly partition?: number;
  readonly to?: NodeId;
}

/** What a broker shall tell of its replicas. Left out: everything, and no batches. */
export interface ReplicaQuestion {
  readonly topic?: string;
  readonly partition?: number;
  /** Also return batches, from this offset on. */
  readonly fromOffset?: Offset;
  readonly maxBatches?: number;
}

export class AdminCore {
  readonly #calls: AdminCalls;
  readonly transactions: TransactionAdmin;
  readonly groups: GroupAdmin;

  constructor(parts: AdminParts) {
    this.#calls = new AdminCalls(parts);
    this.transactions = new TransactionAdmin(this.#calls);
    this.groups = new GroupAdmin(this.#calls);
  }

  /** Creates topics (wire W-78). */
  createTopics(topics: readonly TopicSpec[], validateOnly: boolean, done: Done<readonly CreatedTopic[]>): void {
    const request = { topics: topics.map(newTopic), validateOnly };
    this.#calls.once(CONTROLLER_ID, 'CreateTopics', request, (result) =>
      done(map(result, (response) => response.topics)),
    );
  }

  /** Deletes topics by name (wire W-79). */
  deleteTopics(names: readonly string[], done: Done<readonly DeletedTopic[]>): void {
    const request = { names: [...names], topicIds: [] };
    this.#calls.once(CONTROLLER_ID, 'DeleteTopics', request, (result) =>
      done(map(result, (response) => response.topics)),
    );
  }

  electLeaders(election: ElectionSpec, done: Done<readonly ElectionResult[]>): void {
    const { type, topic, partition = -1, to = -1 } = election;
    this.#calls.once(CONTROLLER_ID, 'ElectLeaders', { type, topic, partition, to }, (result) =>
      done(map(result, (response) => response.results)),
    );
  }

  /** Moves a partition's replicas to these brokers, or calls that off: null (repl R-107). */
  reassign(of: TopicPartition, replicas: readonly NodeId[] | null, done: Done<AlteredReassignment | undefined>): void {
    const { topic, partition } = of;
    const wanted = { topic, partition, replicas: replicas === null ? null : { ids: [...replicas] } };
    const request = { partitions: [wanted], allowReplicationFactorChange: true };
    this.#calls.once(CONTROLLER_ID, 'AlterPartitionReassignments', request, (result) =>
      done(map(result, (response) => response.partitions[0])),
    );
  }

  /** What is moving, of all partitions. */
  listReassignments(done: Done<readonly OngoingReassignment[]>): void {
    const request = { all: true, partitions: [] };
    this.#calls.repeat(
      () => CONTROLLER_ID,
      { api: 'ListPartitionReassignments', request },
      (result) => done(map(result, (response) => response.partitions)),
    );
  }

  /** Forgets a broker (repl R-119). */
  unregisterBroker(brokerId: NodeId, done: Done<ResponseOf<'UnregisterBroker'>>): void {
    this.#calls.once(CONTROLLER_ID, 'UnregisterBroker', { brokerId }, done);
  }

  /** The cluster as the controller has it, fenced brokers included. */
  describeCluster(done: Done<ResponseOf<'DescribeCluster'>>): void {
    this.#calls.repeat(() => CONTROLLER_ID, { api: 'DescribeCluster', request: {} }, done);
  }

  /** Topics as some live broker knows them; all without names. Creates none. */
  describeTopics(names: readonly string[] | undefined, done: Done<ResponseOf<'Metadata'>>): void {
    const request = { allTopics: names === undefined, topics: [...(names ?? [])], allowAutoTopicCreation: false };
    this.#calls.repeat(() => this.#calls.parts.metadata.anyNode(), { api: 'Metadata', request }, done);
  }

  /** What the replicas of one broker hold. */
  describeReplicas(node: NodeId, question: ReplicaQuestion, done: Done<ResponseOf<'DescribeReplicas'>>): void {
    const { topic = '', partition = -1, fromOffset = -1, maxBatches = 0 } = question;
    const request = { topic, partition, fromOffset, maxBatches };
    this.#calls.repeat(() => node, { api: 'DescribeReplicas', request }, done);
  }

  /**
   * Offsets by timestamp, or the ends of logs, from their leaders (repl R-37). In the order of the questions. By default
   * under the isolation level of the settings.
   */
  listOffsets(
    questions: readonly OffsetQuestion[],
    done: (results: readonly ListedOffsetResult[]) => void,
    isolationLevel: number = isolationOf(this.#calls.parts.config),
  ): void {
    const { parts, random } = this.#calls;
    new OffsetListing({ ...parts, isolationLevel }, random, questions, done).start();
  }

  /** Answers that are still awaited become failures at their timeout; nothing is asked again. */
  close(): void {
    this.#calls.close();
  }
}

function newTopic(spec: TopicSpec) {
  const assignments = (spec.assignments ?? []).map((ids) => ({ ids: [...ids] }));
  const configs: ConfigEntry[] = Object.entries(spec.configs ?? {}).map(([name, value]) => ({ name, value }));
  const { name, partitions: numPartitions = -1, replicationFactor = -1 } = spec;
  return { name, numPartitions, replicationFactor, assignments, configs };
}
