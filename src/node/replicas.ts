// The replicas that this broker hosts: finding them for a request, and applying a piece of the metadata log to them
// (repl R-24 rows 1 to 3, R-101, R-115).
import type { NodeId, TopicId } from '../base/units.ts';
import type { LogManager } from '../log/manager-api.ts';
import type { PartitionRegistration, TopicImage } from '../metadata/image.ts';
import type { ErrorName } from '../protocol/errors.ts';
import type { NodeContext } from './context.ts';
import { logObservations } from './log-observations.ts';
import { Partition } from './partition.ts';

/** What a run of metadata records touched. The image already holds their result. */
export interface MetadataDelta {
  /** Partitions created or changed, each once, in the order of the log. */
  readonly changed: readonly { readonly topicId: TopicId; readonly partition: number }[];
  readonly removedTopics: readonly TopicId[];
  /** Names of topics whose own settings changed; '' among them: those of the cluster. */
  readonly configuredTopics: ReadonlySet<string>;
}

/** A partition named by a request: by id if it has one, else by name. */
export interface PartitionAsked {
  readonly topicId: TopicId;
  readonly topic: string;
  readonly partition: number;
}

export type Located =
  | { readonly kind: 'hosted'; readonly replica: Partition }
  | { readonly kind: 'refused'; readonly error: ErrorName; readonly topic: TopicImage | undefined };

export class Replicas {
  readonly #context: NodeContext;
  readonly #logs: LogManager;
  readonly #hosted = new Map<TopicId, Map<number, Partition>>();
  /** On their way out: nobody is served from a log that is being deleted, whose end says nothing. */
  readonly #leaving = new Set<Partition>();

  constructor(context: NodeContext, logs: LogManager) {
    this.#context = context;
    this.#logs = logs;
  }

  /** All hosted replicas, in the order they came. */
  *[Symbol.iterator](): Generator<Partition> {
    for (const partitions of this.#hosted.values()) yield* partitions.values();
  }

  /** The hosted replica, if its log is open. */
  get(topicId: TopicId, partition: number): Partition | undefined {
    return this.#hosted.get(topicId)?.get(partition);
  }

  /** Sets aside the logs that the first image does not assign to this broker (repl R-115). */
  setStraysAside(): void {
    this.#logs.stored((ids) => {
      this.#logs.setAside(ids.filter(({ topicId, partition }) => this.get(topicId, partition) === undefined));
    });
  }

  /** This broker stops: what is still held or awaits a coordinator's yes is not appended any more. */
  close(): void {
    for (const replica of this) replica.close();
  }

  /** Repl R-24 rows 1 to 3; also what Produce and ListOffsets answer for what is not here (repl R-14). */
  locate(asked: PartitionAsked): Located {
    const { image } = this.#context;
    const byId = asked.topicId !== '';
    const topic = byId ? image.topics.get(asked.topicId) : image.topicNamed(asked.topic);
    if (topic === undefined) return refused(byId ? 'UNKNOWN_TOPIC_ID' : 'UNKNOWN_TOPIC_OR_PARTITION', undefined);
    if (topic.partitions[asked.partition] === undefined) return refused('UNKNOWN_TOPIC_OR_PARTITION', topic);
    const replica = this.get(topic.topicId, asked.partition);
    if (replica !== undefined && !this.#leaving.has(replica)) return { kind: 'hosted', replica };
    // The log of the topic's predecessor may still be on its way out: who asks by name did not mean it.
    return refused(
      byId && this.#hostsNamesake(topic, asked.partition) ? 'INCONSISTENT_TOPIC_ID' : 'NOT_LEADER_OR_FOLLOWER',
      topic,
    );
  }

  /** Applies a delta: deletes, then leaders, then followers. `done` when all of it is in force. Repl R-101. */
  apply(delta: MetadataDelta, done: () => void): void {
    const { me } = this.#context;
    let open = 1;
    const closed = (): void => {
      open -= 1;
      if (open === 0) done();
    };
    const each = <T>(items: readonly T[], act: (item: T, done: () => void) => void): void => {
      for (const item of items) {
        open += 1;
        act(item, closed);
      }
    };
    const { configuredTopics } = delta;
    const isConfigured = (topic: string): boolean => configuredTopics.has(topic) || configuredTopics.has('');
    for (const replica of this) if (isConfigured(replica.topic)) this.#configure(replica);
    const decided = this.#decided(delta);
    const gone = decided.filter((partition) => !partition.replicas.includes(me));
    const mine = decided.filter((partition) => partition.replicas.includes(me));
    each([...this.#ofTopics(delta.removedTopics), ...this.#ofPartitions(gone)], (replica, then) =>
      this.#drop(replica, then),
    );
    each(
      mine.filter((partition) => partition.leader === me),
      (partition, then) => this.#host(partition, then),
    );
    each(
      mine.filter((partition) => partition.leader !== me),
      (partition, then) => this.#host(partition, then),
    );
    closed();
  }

  #decided(delta: MetadataDelta): PartitionRegistration[] {
    const decided = delta.changed.map(({ topicId, partition }) => this.#context.image.partition(topicId, partition));
    return decided.filter((partition) => partition !== undefined);
  }

  #ofTopics(topicIds: readonly TopicId[]): Partition[] {
    return topicIds.flatMap((topicId) => [...(this.#hosted.get(topicId)?.values() ?? [])]);
  }

  #ofPartitions(partitions: readonly PartitionRegistration[]): Partition[] {
    return partitions
      .map(({ topicId, partition }) => this.get(topicId, partition))
      .filter((replica) => replica !== undefined);
  }

  /** The log is made whether or not there is a leader to fetch from (repl T-25). */
  #host(decided: PartitionRegistration, done: () => void): void {
    const { topic, topicId, partition } = decided;
    const hosted = this.get(topicId, partition);
    if (hosted !== undefined) return hosted.apply(decided, done);
    this.#logs.open({ topic, topicId, partition }, (log) => {
      const replica = new Partition(this.#context, { topic, topicId, partition }, log);
      const partitions = this.#hosted.get(topicId);
      if (partitions === undefined) this.#hosted.set(topicId, new Map([[partition, replica]]));
      else partitions.set(partition, replica);
      this.#configure(replica);
      log.listen(logObservations(this.#context.runtime.faults, replica));
      replica.apply(decided, done);
    });
  }

  /** A leader's appends bring their settings along; a follower's log has to be told (repl R-10). */
  #configure(replica: Partition): void {
    replica.reconfigure();
  }

  #drop(replica: Partition, done: () => void): void {
    this.#leaving.add(replica);
    replica.delete(() => {
      this.#leaving.delete(replica);
      const partitions = this.#hosted.get(replica.topicId);
      partitions?.delete(replica.partition);
      if (partitions?.size === 0) this.#hosted.delete(replica.topicId);
      done();
    });
  }

  /** Of another topic of this name. */
  #hostsNamesake({ name, topicId }: TopicImage, partition: number): boolean {
    for (const replica of this) {
      if (replica.topic === name && replica.partition === partition && replica.topicId !== topicId) return true;
    }
    return false;
  }
}

function refused(error: ErrorName, topic: TopicImage | undefined): Located {
  return { kind: 'refused', error, topic };
}

/** The broker that a refusal should point to: the leader as the metadata has it (repl R-33). */
export function leaderHint(
  context: NodeContext,
  asked: PartitionAsked,
  error: ErrorName,
): { readonly leader: NodeId; readonly leaderEpoch: number } {
  if (error !== 'NOT_LEADER_OR_FOLLOWER' && error !== 'FENCED_LEADER_EPOCH') return { leader: -1, leaderEpoch: -1 };
  const { image } = context;
  const topicId = asked.topicId !== '' ? asked.topicId : (image.topicNamed(asked.topic)?.topicId ?? '');
  const known = image.partition(topicId, asked.partition);
  return { leader: known?.leader ?? -1, leaderEpoch: known?.leaderEpoch ?? -1 };
}
