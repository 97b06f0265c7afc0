// The metadata log as the committed records tell it, folded anew and without the assertions of the cores, so that a
// broken log is reported instead of stopping the run (repl ). Keeps every state that a partition has had.
import type { LeaderEpoch, NodeId, Offset, PartitionEpoch, TopicId } from '../../../base/units.ts';
import { ELR_VERSION } from '../../../metadata/image.ts';
import type { MetadataRecord, PartitionChangeRecord, PartitionRecord } from '../../../protocol/generated/index.ts';

/** A partition at one partition epoch. */
export interface DecidedState {
  readonly leader: NodeId;
  readonly leaderEpoch: LeaderEpoch;
  readonly isr: readonly NodeId[];
  readonly elr: readonly NodeId[];
  readonly lastKnownElr: readonly NodeId[];
}

/** A partition of the metadata log. */
export interface Decided {
  readonly topic: string;
  readonly topicId: TopicId;
  readonly partition: number;
  /** Those that hold now. */
  replicas: readonly NodeId[];
  /** By partition epoch; the last one holds. */
  readonly states: DecidedState[];
  /** By leader epoch. */
  readonly leaders: NodeId[];
}

export interface DecidedBroker {
  readonly fenced: boolean;
  readonly inControlledShutdown: boolean;
}

export class MetadataFold {
  #endOffset: Offset = 0;
  readonly #brokers = new Map<NodeId, DecidedBroker>();
  readonly #topics = new Map<TopicId, { readonly name: string; readonly partitions: Decided[] }>();
  #hasElr = false;

  /** First offset that was not committed yet. */
  get endOffset(): Offset {
    return this.#endOffset;
  }

  /** Whether eligible leader replicas are kept (repl R-98). */
  get hasElr(): boolean {
    return this.#hasElr;
  }

  get brokers(): ReadonlyMap<NodeId, DecidedBroker> {
    return this.#brokers;
  }

  partition(topicId: TopicId, partition: number): Decided | undefined {
    return this.#topics.get(topicId)?.partitions[partition];
  }

  /** Every partition that exists. */
  *partitions(): Generator<Decided> {
    for (const topic of this.#topics.values()) yield* topic.partitions;
  }

  /** Folds the record at `offset`; one that is known already, told again by a restarted controller, changes nothing. */
  commit(offset: Offset, record: MetadataRecord): void {
    if (offset < this.#endOffset) return;
    this.#endOffset = offset + 1;
    if (record.partitionChange) this.#change(record.partitionChange);
    else if (record.partition) this.#add(record.partition);
    else if (record.topic) this.#topics.set(record.topic.topicId, { name: record.topic.name, partitions: [] });
    else if (record.clearElr) this.#clearElr(record.clearElr.topic);
    else if (record.featureLevel?.name === ELR_VERSION) this.#hasElr = record.featureLevel.level >= 1;
    else if (record.removeTopic) this.#topics.delete(record.removeTopic.topicId);
    else if (record.registerBroker) {
      this.#brokers.set(record.registerBroker.brokerId, {
        fenced: record.registerBroker.fenced,
        inControlledShutdown: false,
      });
    } else if (record.brokerRegistrationChange) {
      const { brokerId, fenced, inControlledShutdown } = record.brokerRegistrationChange;
      this.#brokers.set(brokerId, { fenced, inControlledShutdown });
    } else if (record.unregisterBroker) this.#brokers.delete(record.unregisterBroker.brokerId);
  }

  #add({ topicId, partition, replicas, isr, leader }: PartitionRecord): void {
    const topic = this.#topics.get(topicId);
    if (topic === undefined) return;
    const states = [{ leader, leaderEpoch: 0, isr, elr: [], lastKnownElr: [] }];
    topic.partitions[partition] = { topic: topic.name, topicId, partition, replicas, states, leaders: [leader] };
  }

  #change(record: PartitionChangeRecord): void {
    const decided = this.partition(record.topicId, record.partition);
    if (decided === undefined) return;
    const before = currentOf(decided);
    const after = {
      leader: record.hasLeader ? record.leader : before.leader,
      leaderEpoch: before.leaderEpoch + (record.hasLeader ? 1 : 0),
      isr: record.isr?.ids ?? before.isr,
      elr: record.elr?.ids ?? before.elr,
      lastKnownElr: record.lastKnownElr?.ids ?? before.lastKnownElr,
    };
    decided.states.push(after);
    decided.replicas = record.replicas?.ids ?? decided.replicas;
    if (record.hasLeader) decided.leaders.push(after.leader);
  }

  /** Repl R-119: a new state where there was something to forget. */
  #clearElr(topic: string): void {
    for (const decided of this.partitions()) {
      const before = currentOf(decided);
      const isMeant = topic === '' || topic === decided.topic;
      if (!isMeant || before.elr.length + before.lastKnownElr.length === 0) continue;
      decided.states.push({ ...before, elr: [], lastKnownElr: [] });
    }
  }
}

/** The state that holds. */
export function currentOf(decided: Decided): DecidedState {
  return decided.states[decided.states.length - 1]!;
}

/** The epoch of the state that holds. */
export function partitionEpochOf(decided: Decided): PartitionEpoch {
  return decided.states.length - 1;
}
