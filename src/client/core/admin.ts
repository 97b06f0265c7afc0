// Administration: topics and elections at the controller, questions to brokers. Questions are asked again until they are
// answered or default.api.timeout.ms is over; what changes something is sent once, so that its outcome is never guessed.
import type { InstantMs, NodeId, Offset } from '../../base/units.ts';
import { CONTROLLER_ID } from '../../base/units.ts';
import type { RequestOf, ResponseOf, UnaryApi } from '../../protocol/apis.ts';
import type { ErrorName } from '../../protocol/errors.ts';
import type { ConfigEntry, CreatedTopic, DeletedTopic, ElectionResult } from '../../protocol/generated/index.ts';
import type { Outcome, Random, Runtime } from '../../runtime/ports.ts';
import { backoffMs } from './backoff.ts';
import { isolationOf, type ClientConfig } from './config.ts';
import { OffsetListing, type ListedOffsetResult, type OffsetQuestion } from './list-offsets.ts';
import type { ClientMetadata } from './metadata.ts';

/** What an admin works with. */
export interface AdminParts {
  readonly runtime: Runtime;
  readonly config: ClientConfig;
  readonly metadata: ClientMetadata;
}

/** Nobody answered. Whether a change was made is unknown. */
export interface AdminFailure {
  readonly kind: 'failed';
  readonly error: ErrorName;
  /** A sentence for people. */
  readonly message: string;
}

/** An answer came. Refusals of single topics or partitions are inside it. */
export type AdminResult<Value> = { readonly kind: 'ok'; readonly value: Value } | AdminFailure;
type Done<Value> = (result: AdminResult<Value>) => void;

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
  readonly #parts: AdminParts;
  readonly #random: Random;
  #closed = false;

  constructor(parts: AdminParts) {
    this.#parts = parts;
    this.#random = parts.runtime.random.fork('client.admin');
  }

  /** Creates topics (wire W-78). */
  createTopics(topics: readonly TopicSpec[], validateOnly: boolean, done: Done<readonly CreatedTopic[]>): void {
    const request = { topics: topics.map(newTopic), validateOnly };
    this.#once(CONTROLLER_ID, 'CreateTopics', request, (result) => done(map(result, (response) => response.topics)));
  }

  /** Deletes topics by name (wire W-79). */
  deleteTopics(names: readonly string[], done: Done<readonly DeletedTopic[]>): void {
    const request = { names: [...names] };
    this.#once(CONTROLLER_ID, 'DeleteTopics', request, (result) => done(map(result, (response) => response.topics)));
  }

  electLeaders(election: ElectionSpec, done: Done<readonly ElectionResult[]>): void {
    const { type, topic, partition = -1, to = -1 } = election;
    this.#once(CONTROLLER_ID, 'ElectLeaders', { type, topic, partition, to }, (result) =>
      done(map(result, (response) => response.results)),
    );
  }

  /** The cluster as the controller has it, fenced brokers included. */
  describeCluster(done: Done<ResponseOf<'DescribeCluster'>>): void {
    this.#repeat(() => CONTROLLER_ID, 'DescribeCluster', {}, done);
  }

  /** Topics as some live broker knows them; all without names. Creates none. */
  describeTopics(names: readonly string[] | undefined, done: Done<ResponseOf<'Metadata'>>): void {
    const request = { allTopics: names === undefined, topics: [...(names ?? [])], allowAutoTopicCreation: false };
    this.#repeat(() => this.#parts.metadata.anyNode(), 'Metadata', request, done);
  }

  /** What the replicas of one broker hold. */
  describeReplicas(node: NodeId, question: ReplicaQuestion, done: Done<ResponseOf<'DescribeReplicas'>>): void {
    const { topic = '', partition = -1, fromOffset = -1, maxBatches = 0 } = question;
    this.#repeat(() => node, 'DescribeReplicas', { topic, partition, fromOffset, maxBatches }, done);
  }

  /**
   * Offsets by timestamp, or the ends of logs, from their leaders (repl R-37). In the order of the questions. By default
   * under the isolation level of the settings.
   */
  listOffsets(
    questions: readonly OffsetQuestion[],
    done: (results: readonly ListedOffsetResult[]) => void,
    isolationLevel: number = isolationOf(this.#parts.config),
  ): void {
    new OffsetListing({ ...this.#parts, isolationLevel }, this.#random, questions, done).start();
  }

  /** Answers that are still awaited become failures at their timeout; nothing is asked again. */
  close(): void {
    this.#closed = true;
  }

  #once<A extends UnaryApi>(to: NodeId, api: A, request: RequestOf<A>, done: Done<ResponseOf<A>>): void {
    const { network } = this.#parts.runtime;
    network.request(to, api, request, this.#parts.config['default.api.timeout.ms'], (outcome) =>
      done(resultOf(to, outcome)),
    );
  }

  #repeat<A extends UnaryApi>(choose: () => NodeId, api: A, request: RequestOf<A>, done: Done<ResponseOf<A>>): void {
    const { runtime, config, metadata } = this.#parts;
    const deadline: InstantMs = runtime.clock.now() + config['default.api.timeout.ms'];
    let failures = 0;
    const attempt = (): void => {
      const to = choose();
      const left = Math.max(1, deadline - runtime.clock.now());
      runtime.network.request(to, api, request, Math.min(config['request.timeout.ms'], left), (outcome) => {
        if (outcome.kind === 'ok') return done({ kind: 'ok', value: outcome.response });
        if (to !== CONTROLLER_ID) metadata.nodeFailed(to);
        failures += 1;
        const delay = backoffMs(config, failures, this.#random);
        if (this.#closed || runtime.clock.now() + delay >= deadline) return done(resultOf(to, outcome));
        runtime.clock.after(delay, attempt);
      });
    };
    attempt();
  }
}

function newTopic(spec: TopicSpec) {
  const assignments = (spec.assignments ?? []).map((ids) => ({ ids: [...ids] }));
  const configs: ConfigEntry[] = Object.entries(spec.configs ?? {}).map(([name, value]) => ({ name, value }));
  const { name, partitions: numPartitions = -1, replicationFactor = -1 } = spec;
  return { name, numPartitions, replicationFactor, assignments, configs };
}

function resultOf<Response>(to: NodeId, outcome: Outcome<Response>): AdminResult<Response> {
  const who = to === CONTROLLER_ID ? 'the controller' : to < 0 ? `bootstrap broker ${-to}` : `broker ${to}`;
  switch (outcome.kind) {
    case 'ok':
      return { kind: 'ok', value: outcome.response };
    case 'timed-out':
      return { kind: 'failed', error: 'REQUEST_TIMED_OUT', message: `${who} did not answer in time` };
    case 'disconnected':
      return { kind: 'failed', error: 'NETWORK_EXCEPTION', message: `${who} cannot be reached: ${outcome.reason}` };
  }
}

function map<From, To>(result: AdminResult<From>, change: (value: From) => To): AdminResult<To> {
  return result.kind === 'ok' ? { kind: 'ok', value: change(result.value) } : result;
}
