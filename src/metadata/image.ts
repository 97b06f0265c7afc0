// The cluster's state as a fold of the metadata log (repl ). The controller decides against one, every broker
// keeps its own; both apply the same records and so agree at equal offsets (repl I-24). Decides nothing itself.
import { assert } from '../base/assert.ts';
import type { BrokerEpoch, LeaderEpoch, NodeId, Offset, PartitionEpoch, TopicId } from '../base/units.ts';
import { NO_LEADER } from '../base/units.ts';
import type {
  Endpoint,
  MetadataRecord,
  PartitionChangeRecord,
  PartitionRecord,
  RegisterBrokerRecord,
} from '../protocol/generated/index.ts';

/** A broker as registered (repl R-83). */
export interface BrokerRegistration {
  readonly id: NodeId;
  readonly incarnationId: string;
  readonly brokerEpoch: BrokerEpoch;
  /** Where its registration record stands; a broker that applied it is caught up (repl ). */
  readonly registrationOffset: Offset;
  readonly endpoints: readonly Endpoint[];
  readonly fenced: boolean;
  readonly inControlledShutdown: boolean;
}

export type RecoveryState = 'RECOVERED' | 'RECOVERING';

/** A partition as decided (repl R-83). Never changed in place: a change makes a new one. */
export interface PartitionRegistration {
  readonly topic: string;
  readonly topicId: TopicId;
  readonly partition: number;
  readonly replicas: readonly NodeId[];
  readonly isr: readonly NodeId[];
  /** -1: none. */
  readonly leader: NodeId;
  readonly leaderEpoch: LeaderEpoch;
  readonly partitionEpoch: PartitionEpoch;
  readonly leaderRecoveryState: RecoveryState;
}

export interface TopicImage {
  readonly name: string;
  readonly topicId: TopicId;
  /** By index. */
  readonly partitions: readonly PartitionRegistration[];
  /** Topic-level settings as text, under their topic names. */
  readonly configs: ReadonlyMap<string, string>;
}

/** Whether a broker may lead or join an ISR: registered, unfenced, not in controlled shutdown (repl R-95). */
export function isActive(broker: BrokerRegistration | undefined): boolean {
  return broker !== undefined && !broker.fenced && !broker.inControlledShutdown;
}

/** Repl I-10 with the ELR off: the leader is in the ISR, the ISR among the replicas and never empty. */
function checkPartition({ topic, partition, leader, isr, replicas }: PartitionRegistration): void {
  const where = `${topic}-${partition}`;
  assert(leader === NO_LEADER || isr.includes(leader), `repl I-10: ${where}: leader ${leader} outside ISR ${isr}`);
  assert(isr.length > 0, `repl I-10: ${where}: empty ISR`);
  assert(
    isr.every((id) => replicas.includes(id)),
    `repl I-10: ${where}: ISR ${isr} outside replicas ${replicas}`,
  );
}

/** The fold. `apply` is the only place where the state changes. */
export class MetadataImage {
  #endOffset: Offset = 0;
  #clusterId = '';
  readonly #brokers = new Map<NodeId, BrokerRegistration>();
  readonly #topics = new Map<TopicId, TopicImage>();
  readonly #topicIds = new Map<string, TopicId>();
  readonly #features = new Map<string, number>();
  #nextProducerId = 0;

  /** First offset not applied yet. */
  get endOffset(): Offset {
    return this.#endOffset;
  }
  /** Empty before the first record. */
  get clusterId(): string {
    return this.#clusterId;
  }
  /** In order of first registration. */
  get brokers(): ReadonlyMap<NodeId, BrokerRegistration> {
    return this.#brokers;
  }
  /** In order of creation. */
  get topics(): ReadonlyMap<TopicId, TopicImage> {
    return this.#topics;
  }
  get features(): ReadonlyMap<string, number> {
    return this.#features;
  }
  /** First producer id not handed out. */
  get nextProducerId(): number {
    return this.#nextProducerId;
  }

  topicNamed(name: string): TopicImage | undefined {
    const id = this.#topicIds.get(name);
    return id === undefined ? undefined : this.#topics.get(id);
  }

  partition(topicId: TopicId, partition: number): PartitionRegistration | undefined {
    return this.#topics.get(topicId)?.partitions[partition];
  }

  /** All partitions, topic by topic. */
  *partitions(): Generator<PartitionRegistration> {
    for (const topic of this.#topics.values()) yield* topic.partitions;
  }

  /** Applies the record at `offset`. Records come in order, without gaps. */
  apply(offset: Offset, record: MetadataRecord): void {
    assert(offset === this.#endOffset, `repl I-24: metadata record ${offset} applied at ${this.#endOffset}`);
    if (record.partitionChange) this.#change(record.partitionChange);
    else if (record.partition) this.#addPartition(record.partition);
    else if (record.registerBroker) this.#register(offset, record.registerBroker);
    else if (record.brokerRegistrationChange) {
      const { brokerId, fenced, inControlledShutdown } = record.brokerRegistrationChange;
      const known = this.#brokers.get(brokerId);
      assert(known !== undefined, `change of unregistered broker ${brokerId}`);
      this.#brokers.set(brokerId, { ...known, fenced, inControlledShutdown });
    } else if (record.topic) {
      const { name, topicId } = record.topic;
      this.#topics.set(topicId, { name, topicId, partitions: [], configs: new Map() });
      this.#topicIds.set(name, topicId);
    } else if (record.removeTopic) {
      const topic = this.#topics.get(record.removeTopic.topicId);
      assert(topic !== undefined, `removal of unknown topic ${record.removeTopic.topicId}`);
      this.#topics.delete(topic.topicId);
      this.#topicIds.delete(topic.name);
    } else if (record.config)
      this.#configure(record.config.topic, record.config.name, record.config.removed ? undefined : record.config.value);
    else if (record.featureLevel) this.#features.set(record.featureLevel.name, record.featureLevel.level);
    else if (record.producerIds) this.#nextProducerId = record.producerIds.nextProducerId;
    else if (record.cluster) this.#clusterId = record.cluster.clusterId;
    this.#endOffset = offset + 1;
  }

  /** Repl: another incarnation starts out of controlled shutdown; the same one keeps its flag. */
  #register(offset: Offset, record: RegisterBrokerRecord): void {
    const { brokerId, incarnationId, brokerEpoch, endpoints, fenced } = record;
    const known = this.#brokers.get(brokerId);
    assert(
      known === undefined || brokerEpoch >= known.brokerEpoch,
      `repl I-23: broker ${brokerId} registered with epoch ${brokerEpoch} after ${known?.brokerEpoch}`,
    );
    const inControlledShutdown = known?.incarnationId === incarnationId && known.inControlledShutdown;
    const registration = { id: brokerId, incarnationId, brokerEpoch, registrationOffset: offset, endpoints, fenced };
    this.#brokers.set(brokerId, { ...registration, inControlledShutdown });
  }

  #addPartition(record: PartitionRecord): void {
    const topic = this.#topics.get(record.topicId);
    assert(topic !== undefined, `partition of unknown topic ${record.topicId}`);
    assert(record.partition === topic.partitions.length, `partition ${record.partition} of ${topic.name} out of order`);
    const { topicId, partition, replicas, isr, leader } = record;
    const added: PartitionRegistration = {
      ...{ topic: topic.name, topicId, partition, replicas, isr, leader },
      ...{ leaderEpoch: 0, partitionEpoch: 0, leaderRecoveryState: 'RECOVERED' as const },
    };
    checkPartition(added);
    this.#topics.set(topicId, { ...topic, partitions: [...topic.partitions, added] });
  }

  /** Repl R-85: partitionEpoch + 1 always, leaderEpoch + 1 iff the record carries a leader. */
  #change(record: PartitionChangeRecord): void {
    const topic = this.#topics.get(record.topicId);
    const before = topic?.partitions[record.partition];
    assert(
      topic !== undefined && before !== undefined,
      `change of unknown partition ${record.topicId}/${record.partition}`,
    );
    const after: PartitionRegistration = {
      ...before,
      isr: record.isr?.ids ?? before.isr,
      leader: record.hasLeader ? record.leader : before.leader,
      leaderEpoch: before.leaderEpoch + (record.hasLeader ? 1 : 0),
      partitionEpoch: before.partitionEpoch + 1,
      leaderRecoveryState:
        record.leaderRecoveryState === '' ? before.leaderRecoveryState : (record.leaderRecoveryState as RecoveryState),
    };
    checkPartition(after);
    const partitions = [...topic.partitions];
    partitions[record.partition] = after;
    this.#topics.set(topic.topicId, { ...topic, partitions });
  }

  #configure(topicName: string, name: string, value: string | undefined): void {
    const topic = this.topicNamed(topicName);
    assert(topic !== undefined, `configuration of unknown topic ${topicName}`);
    const configs = new Map(topic.configs);
    if (value === undefined) configs.delete(name);
    else configs.set(name, value);
    this.#topics.set(topic.topicId, { ...topic, configs });
  }
}
