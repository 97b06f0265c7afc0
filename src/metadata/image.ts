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
  /** Empty: none. */
  readonly rack: string;
  readonly fenced: boolean;
  readonly inControlledShutdown: boolean;
}

export type RecoveryState = 'RECOVERED' | 'RECOVERING';

/** A partition as decided (repl R-83). Never changed in place: a change makes a new one. */
export interface PartitionRegistration {
  readonly topic: string;
  readonly topicId: TopicId;
  readonly partition: number;
  /** While it is being reassigned: where it goes, then those that go away (repl R-107). */
  readonly replicas: readonly NodeId[];
  /** Of these, the ones that a reassignment adds. */
  readonly adding: readonly NodeId[];
  /** Of these, the ones that a reassignment removes. */
  readonly removing: readonly NodeId[];
  readonly isr: readonly NodeId[];
  /** -1: none. */
  readonly leader: NodeId;
  readonly leaderEpoch: LeaderEpoch;
  readonly partitionEpoch: PartitionEpoch;
  readonly leaderRecoveryState: RecoveryState;
  /** Replicas outside the ISR that hold everything committed (repl R-98). Empty while they are off. */
  readonly elr: readonly NodeId[];
  /** While there is no leader, the one that was last in office; one at most (repl R-98). */
  readonly lastKnownElr: readonly NodeId[];
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

/** The feature that lets an ISR be empty, because others are known to hold what it held (repl R-98). */
export const ELR_VERSION = 'eligible.leader.replicas.version';

/**
 * Repl I-10: the leader is in the ISR, the ISR among the replicas, nobody in it is eligible besides, and it is never empty
 * with the ELR off.
 */
function checkPartition(
  { topic, partition, leader, isr, replicas, elr }: PartitionRegistration,
  hasElr: boolean,
): void {
  const where = `${topic}-${partition}`;
  assert(leader === NO_LEADER || isr.includes(leader), `repl I-10: ${where}: leader ${leader} outside ISR ${isr}`);
  assert(isr.length > 0 || hasElr, `repl I-10: ${where}: empty ISR`);
  assert(!isr.some((id) => elr.includes(id)), `repl I-10: ${where}: ISR ${isr} and ELR ${elr} overlap`);
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
  #clusterConfigs: ReadonlyMap<string, string> = new Map();
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
  /** Whether eligible leader replicas are kept (repl R-98). */
  get hasElr(): boolean {
    return (this.#features.get(ELR_VERSION) ?? 0) >= 1;
  }
  /** Settings that hold for all topics without one of their own, whatever the nodes' are, as text under topic names. */
  get clusterConfigs(): ReadonlyMap<string, string> {
    return this.#clusterConfigs;
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
    this.#fold(offset, record);
    this.#endOffset = offset + 1;
  }

  /** Becomes what the log below `endOffset` says, by the records of a snapshot of it (snapshot.ts). */
  load(endOffset: Offset, records: readonly MetadataRecord[]): void {
    assert(endOffset >= this.#endOffset, `repl I-24: a snapshot up to ${endOffset} loaded at ${this.#endOffset}`);
    for (const map of [this.#brokers, this.#topics, this.#topicIds, this.#features]) map.clear();
    this.#clusterConfigs = new Map();
    for (const record of records) this.#fold(endOffset, record);
    this.#endOffset = endOffset;
  }

  #fold(offset: Offset, record: MetadataRecord): void {
    if (record.partitionChange) this.#change(record.partitionChange);
    else if (record.partition) this.#addPartition(record.partition);
    else if (record.registerBroker) this.#register(offset, record.registerBroker);
    else if (record.brokerRegistrationChange) {
      const { brokerId, fenced, inControlledShutdown } = record.brokerRegistrationChange;
      const known = this.#brokers.get(brokerId);
      assert(known !== undefined, `change of unregistered broker ${brokerId}`);
      this.#brokers.set(brokerId, { ...known, fenced, inControlledShutdown });
    } else if (record.unregisterBroker) {
      const { brokerId } = record.unregisterBroker;
      assert(this.#brokers.delete(brokerId), `end of unregistered broker ${brokerId}`);
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
    else if (record.clearElr) this.#clearElr(record.clearElr.topic);
    else if (record.producerIds) this.#nextProducerId = record.producerIds.nextProducerId;
    else if (record.cluster) this.#clusterId = record.cluster.clusterId;
  }

  /** Repl: another incarnation starts out of controlled shutdown; the same one keeps its flag. */
  #register(offset: Offset, record: RegisterBrokerRecord): void {
    const { brokerId, incarnationId, brokerEpoch, endpoints, fenced } = record;
    const rack = record.rack ?? ''; // Logs written before there were racks have none.
    const known = this.#brokers.get(brokerId);
    assert(
      known === undefined || brokerEpoch >= known.brokerEpoch,
      `repl I-23: broker ${brokerId} registered with epoch ${brokerEpoch} after ${known?.brokerEpoch}`,
    );
    const isKnown = known?.incarnationId === incarnationId;
    // The second is what snapshots say, and logs from before there were any do not.
    const inControlledShutdown = (isKnown && known.inControlledShutdown) || (record.inControlledShutdown ?? false);
    const registrationOffset = (record.registrationOffset ?? 0) > 0 ? record.registrationOffset : offset;
    const registration = { id: brokerId, incarnationId, brokerEpoch, registrationOffset, endpoints, rack, fenced };
    this.#brokers.set(brokerId, { ...registration, inControlledShutdown });
  }

  #addPartition(record: PartitionRecord): void {
    const topic = this.#topics.get(record.topicId);
    assert(topic !== undefined, `partition of unknown topic ${record.topicId}`);
    assert(record.partition === topic.partitions.length, `partition ${record.partition} of ${topic.name} out of order`);
    const { topicId, partition, replicas, isr, leader, leaderRecoveryState } = record;
    const added: PartitionRegistration = {
      ...{ topic: topic.name, topicId, partition, replicas, isr, leader },
      // What only snapshots say, and records from before there were any do not.
      ...{ leaderEpoch: record.leaderEpoch ?? 0, partitionEpoch: record.partitionEpoch ?? 0 },
      leaderRecoveryState: leaderRecoveryState === 'RECOVERING' ? leaderRecoveryState : 'RECOVERED',
      ...{ adding: record.addingReplicas ?? [], removing: record.removingReplicas ?? [] },
      ...{ elr: record.elr ?? [], lastKnownElr: record.lastKnownElr ?? [] },
    };
    checkPartition(added, this.hasElr);
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
      // Logs from before there were reassignments have no such fields.
      replicas: record.replicas?.ids ?? before.replicas,
      adding: record.addingReplicas?.ids ?? before.adding,
      removing: record.removingReplicas?.ids ?? before.removing,
      isr: record.isr?.ids ?? before.isr,
      leader: record.hasLeader ? record.leader : before.leader,
      leaderEpoch: before.leaderEpoch + (record.hasLeader ? 1 : 0),
      partitionEpoch: before.partitionEpoch + 1,
      leaderRecoveryState:
        record.leaderRecoveryState === '' ? before.leaderRecoveryState : (record.leaderRecoveryState as RecoveryState),
      // Logs from before there were any have no such fields.
      elr: record.elr?.ids ?? before.elr,
      lastKnownElr: record.lastKnownElr?.ids ?? before.lastKnownElr,
    };
    checkPartition(after, this.hasElr);
    const partitions = [...topic.partitions];
    partitions[record.partition] = after;
    this.#topics.set(topic.topicId, { ...topic, partitions });
  }

  /** Repl: partitionEpoch + 1 where there was something to forget. */
  #clearElr(topicName: string): void {
    for (const topic of topicName === '' ? [...this.#topics.values()] : [this.topicNamed(topicName)]) {
      assert(topic !== undefined, `eligible leader replicas of unknown topic ${topicName}`);
      const partitions = topic.partitions.map((partition) =>
        partition.elr.length + partition.lastKnownElr.length === 0
          ? partition
          : { ...partition, elr: [], lastKnownElr: [], partitionEpoch: partition.partitionEpoch + 1 },
      );
      this.#topics.set(topic.topicId, { ...topic, partitions });
    }
  }

  #configure(topicName: string, name: string, value: string | undefined): void {
    const topic = this.topicNamed(topicName);
    assert(topicName === '' || topic !== undefined, `configuration of unknown topic ${topicName}`);
    const configs = new Map(topic?.configs ?? this.#clusterConfigs);
    if (value === undefined) configs.delete(name);
    else configs.set(name, value);
    if (topic === undefined) this.#clusterConfigs = configs;
    else this.#topics.set(topic.topicId, { ...topic, configs });
  }
}
