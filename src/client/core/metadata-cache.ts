// What a client knows of the cluster: brokers, topics, leaders and their epochs (wire W-70). Any broker may answer, also one
// that is behind, so a partition's leader epoch never goes backwards for the same topic id. Asks nobody itself.
import type { LeaderEpoch, NodeId, TopicId } from '../../base/units.ts';
import { NO_LEADER } from '../../base/units.ts';
import type { ResponseOf } from '../../protocol/apis.ts';
import type { ErrorName } from '../../protocol/errors.ts';
import type { Endpoint, PartitionDescription, TopicDescription } from '../../protocol/generated/index.ts';
import { GRPC_ENDPOINT } from '../../protocol/listeners.ts';

/** A partition as the newest leader epoch seen has it. */
export interface PartitionMetadata {
  readonly topic: string;
  readonly topicId: TopicId;
  readonly partition: number;
  /** -1: none, or none that lives. */
  readonly leader: NodeId;
  readonly leaderEpoch: LeaderEpoch;
  readonly replicas: readonly NodeId[];
  readonly isr: readonly NodeId[];
}

/** A topic as last answered. With an error it has no partitions. */
export interface TopicMetadata {
  readonly name: string;
  readonly topicId: TopicId;
  readonly error: ErrorName;
  /** By index. */
  readonly partitions: readonly PartitionMetadata[];
}

/** A live broker, and where its gRPC endpoint is if it told one. */
export interface KnownBroker {
  readonly node: NodeId;
  readonly endpoint: Endpoint | undefined;
}

export class MetadataCache {
  readonly #topics = new Map<string, TopicMetadata>();
  /** Outlives errors and disappearances of a topic, so that a broker that is behind cannot bring an old leader back. */
  readonly #newest = new Map<TopicId, PartitionMetadata[]>();
  #brokers: readonly KnownBroker[] = [];
  #transactionVersion: number | undefined;
  #featuresOffset = -1;

  /** The topic as last answered; undefined if it never was. */
  topic(name: string): TopicMetadata | undefined {
    return this.#topics.get(name);
  }

  partition(topic: string, partition: number): PartitionMetadata | undefined {
    return this.#topics.get(topic)?.partitions[partition];
  }

  /** Live brokers, by id. */
  get brokers(): readonly KnownBroker[] {
    return this.#brokers;
  }

  /** Finalized level of transaction.version, as the newest answer has it (txn T-191); undefined before the first. */
  get transactionVersion(): number | undefined {
    return this.#transactionVersion;
  }

  /** Takes in an answer. True if something changed that a client acts on: a leader, an epoch, an error, a partition count. */
  apply(response: ResponseOf<'Metadata'>): boolean {
    this.#brokers = response.brokers
      .map(({ id, endpoints }) => ({ node: id, endpoint: endpoints.find(({ name }) => name === GRPC_ENDPOINT) }))
      .sort((a, b) => a.node - b.node);
    if (response.metadataOffset >= this.#featuresOffset) {
      this.#featuresOffset = response.metadataOffset;
      this.#transactionVersion = response.transactionVersion;
    }
    let changed = false;
    for (const description of response.topics) {
      const before = this.#topics.get(description.name);
      const after = this.#merge(description);
      this.#topics.set(description.name, after);
      if (before === undefined || differs(before, after)) changed = true;
    }
    return changed;
  }

  /** A broker named a newer leader in an error (repl R-33). True if it was news. */
  hint(topic: string, partition: number, leader: NodeId, leaderEpoch: LeaderEpoch): boolean {
    const known = this.#topics.get(topic);
    const before = known?.partitions[partition];
    const live = this.#brokers.some((broker) => broker.node === leader);
    if (known === undefined || before === undefined || !live || leaderEpoch <= before.leaderEpoch) return false;
    const partitions = [...known.partitions];
    partitions[partition] = { ...before, leader, leaderEpoch };
    this.#newest.set(known.topicId, partitions);
    this.#topics.set(topic, { ...known, partitions });
    return true;
  }

  #merge(description: TopicDescription): TopicMetadata {
    const { name, topicId, error } = description;
    if (error !== 'NONE') return { name, topicId, error, partitions: [] };
    const partitions = [...(this.#newest.get(topicId) ?? [])];
    for (const partition of [...description.partitions].sort((a, b) => a.partition - b.partition)) {
      const seen = partitions[partition.partition];
      if (seen !== undefined && seen.leaderEpoch > partition.leaderEpoch) continue;
      partitions[partition.partition] = partitionOf(name, topicId, partition);
    }
    this.#newest.set(topicId, partitions);
    return { name, topicId, error, partitions };
  }
}

function partitionOf(topic: string, topicId: TopicId, description: PartitionDescription): PartitionMetadata {
  const { partition, leaderEpoch, replicas, isr } = description;
  const leader = description.error === 'LEADER_NOT_AVAILABLE' ? NO_LEADER : description.leader;
  return { topic, topicId, partition, leader, leaderEpoch, replicas, isr };
}

function differs(before: TopicMetadata, after: TopicMetadata): boolean {
  return (
    before.topicId !== after.topicId ||
    before.error !== after.error ||
    before.partitions.length !== after.partitions.length ||
    after.partitions.some((partition, index) => {
      const old = before.partitions[index]!;
      return partition.leader !== old.leader || partition.leaderEpoch !== old.leaderEpoch;
    })
  );
}
