// Administration as applications use it. Refusals of a single topic or partition throw; lists of questions answer one by one.
import type { NodeId, TopicPartition } from '../base/units.ts';
import type { ResponseOf } from '../protocol/apis.ts';
import type {
  AlteredReassignment,
  CreatedTopic,
  DeletedTopic,
  ElectionResult,
  OngoingReassignment,
  ReplicaDescription,
  TopicDescription,
} from '../protocol/generated/index.ts';
import { accepted, ask } from './admin-calls.ts';
import { Groups, Transactions } from './admin-parts.ts';
import type { Calls, CallOptions } from './calls.ts';
import type { AdminCore, ElectionSpec, ReplicaQuestion, TopicSpec } from './core/admin.ts';
import type { ListedOffsetResult, OffsetQuestion } from './core/list-offsets.ts';

/** What is left out is the cluster's default. */
export type TopicOptions = Omit<TopicSpec, 'name'> & { readonly validateOnly?: boolean };

export class Admin {
  readonly #core: AdminCore;
  readonly #calls: Calls;

  /** Transactional ids, producers, hanging transactions. */
  readonly transactions: Transactions;
  /** Consumer groups and their offsets. */
  readonly groups: Groups;

  constructor(core: AdminCore, calls: Calls) {
    this.#core = core;
    this.#calls = calls;
    this.transactions = new Transactions(core.transactions, calls);
    this.groups = new Groups(core.groups, calls);
  }

  async createTopic(name: string, options: TopicOptions & CallOptions = {}): Promise<CreatedTopic> {
    const { signal, validateOnly = false, ...shape } = options;
    const [created] = await ask<readonly CreatedTopic[]>(
      this.#calls,
      (done) => this.#core.createTopics([{ name, ...shape }], validateOnly, done),
      { signal },
    );
    return accepted(created, `create topic ${name}`);
  }

  async deleteTopic(name: string, options: CallOptions = {}): Promise<void> {
    const [deleted] = await ask<readonly DeletedTopic[]>(
      this.#calls,
      (done) => this.#core.deleteTopics([name], done),
      options,
    );
    accepted(deleted, `delete topic ${name}`);
  }

  /** Elects leaders (repl ); one result a partition. Partitions that needed none say ELECTION_NOT_NEEDED. */
  electLeaders(election: ElectionSpec, options: CallOptions = {}): Promise<readonly ElectionResult[]> {
    return ask(this.#calls, (done) => this.#core.electLeaders(election, done), options);
  }

  /** Moves a partition's replicas to these brokers, or calls that off: null (repl R-107). It has only begun when this resolves. */
  async reassign(of: TopicPartition, replicas: readonly NodeId[] | null, options: CallOptions = {}): Promise<void> {
    const altered = await ask<AlteredReassignment | undefined>(
      this.#calls,
      (done) => this.#core.reassign(of, replicas, done),
      options,
    );
    accepted(altered, `reassign ${of.topic}-${of.partition}`);
  }

  /** What is moving. */
  reassignments(options: CallOptions = {}): Promise<readonly OngoingReassignment[]> {
    return ask(this.#calls, (done) => this.#core.listReassignments(done), options);
  }

  /** Forgets a broker that will not come back (repl R-119). */
  async unregisterBroker(id: NodeId, options: CallOptions = {}): Promise<void> {
    const answer = await ask<ResponseOf<'UnregisterBroker'>>(
      this.#calls,
      (done) => this.#core.unregisterBroker(id, done),
      options,
    );
    accepted(answer, `unregister broker ${id}`);
  }

  /** The cluster as the controller has it, fenced brokers included. */
  describeCluster(options: CallOptions = {}): Promise<ResponseOf<'DescribeCluster'>> {
    return ask(this.#calls, (done) => this.#core.describeCluster(done), options);
  }

  /** Topics as some live broker knows them; all without names. */
  async describeTopics(names?: readonly string[], options: CallOptions = {}): Promise<readonly TopicDescription[]> {
    const { topics } = await ask<ResponseOf<'Metadata'>>(
      this.#calls,
      (done) => this.#core.describeTopics(names, done),
      options,
    );
    return topics;
  }

  /** What the replicas of one broker hold. */
  async describeReplicas(
    node: NodeId,
    question: ReplicaQuestion = {},
    options: CallOptions = {},
  ): Promise<readonly ReplicaDescription[]> {
    const { replicas } = await ask<ResponseOf<'DescribeReplicas'>>(
      this.#calls,
      (done) => this.#core.describeReplicas(node, question, done),
      options,
    );
    return replicas;
  }

  /** Offsets by timestamp, or ends of logs (-1 latest, -2 earliest), in the order of the questions (repl R-37). */
  listOffsets(questions: readonly OffsetQuestion[], options: CallOptions = {}): Promise<readonly ListedOffsetResult[]> {
    return this.#calls.run((resolve) => this.#core.listOffsets(questions, resolve), options);
  }

  /** The offset behind the last readable record of a partition. Throws if its leader does not answer. */
  async endOffset(of: TopicPartition, isolation: 'read_uncommitted' | 'read_committed' = 'read_uncommitted') {
    const level = isolation === 'read_committed' ? 1 : 0;
    const [listed] = await this.#calls.run<readonly ListedOffsetResult[]>((resolve) =>
      this.#core.listOffsets([{ ...of, timestamp: -1 }], resolve, level),
    );
    return accepted(listed, `end offset of ${of.topic}-${of.partition}`).offset;
  }
}
