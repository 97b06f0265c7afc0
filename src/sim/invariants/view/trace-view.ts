// The cluster as the trace tells it, folded event by event: every replica, and the metadata log. All invariants read this
// one view, so that an event is folded once. It judges nothing.
import { formatPartition, type NodeId, type Offset, type TopicId } from '../../../base/units.ts';
import type { MetadataRecord } from '../../../protocol/generated/index.ts';
import type { Stamped, TraceEvent } from '../../../trace/events.ts';
import { currentOf, MetadataFold, type Decided } from './metadata-fold.ts';
import { firstEndingFrom, unknownReplica, type ReplicaView } from './replica-view.ts';
import { CoordinatorFold } from './coordinator-fold.ts';
import { TxnLogs } from './txn-logs.ts';

/** The replicas of one partition. */
export interface PartitionView {
  readonly topicId: TopicId;
  readonly partition: number;
  /** E.g. "orders-0". */
  readonly name: string;
  readonly replicas: Map<NodeId, ReplicaView>;
  /** A leader was elected that may lack committed records (U), or had lost its tail (P): from then on excused. */
  excused: boolean;
  /** Below, some replica's cleaner may have removed records, and others fetched what is left (txn T-114). */
  cleanedTo: Offset;
}

interface OfPartition {
  readonly topic: string;
  readonly topicId: TopicId;
  readonly partition: number;
}

type EventOf<T extends TraceEvent['type']> = Extract<TraceEvent, { type: T }>;

export class TraceView {
  readonly metadata = new MetadataFold();
  /** What the logs say of transactions. */
  readonly transactions = new TxnLogs();
  /** What transaction coordinators tell. */
  readonly coordinators = new CoordinatorFold();
  readonly #cleaned = new Set<string>();
  readonly #topics = new Map<TopicId, PartitionView[]>();
  readonly #named = new Map<string, PartitionView>();

  partition(of: { readonly topicId: TopicId; readonly partition: number }): PartitionView | undefined {
    return this.#topics.get(of.topicId)?.[of.partition];
  }

  /** The partition that has this name now, e.g. "orders-0". */
  named(name: string): PartitionView | undefined {
    return this.#named.get(name);
  }

  /** Whether the partition of this name may have lost committed records. */
  isExcused(name: string): boolean {
    return this.#named.get(name)?.excused === true;
  }

  /** Whether a record of a shard of __transaction_state is below the high watermark of this broker's replica. */
  isDurableAt(node: NodeId, partition: number, offset: Offset): boolean {
    return offset < (this.#named.get(stateName(partition))?.replicas.get(node)?.highWatermark ?? -1);
  }

  /** Every partition of which a replica was heard. */
  *partitions(): Generator<PartitionView> {
    for (const partitions of this.#topics.values()) for (const partition of partitions) if (partition) yield partition;
  }

  /** Whether a cleaner was at work in the partition of this name. */
  isCleaned(name: string): boolean {
    return this.#cleaned.has(name);
  }

  *replicas(): Generator<ReplicaView> {
    for (const { replicas } of this.partitions()) yield* replicas.values();
  }

  /** The replica that an event of this node is about. */
  replica(node: NodeId, of: OfPartition): ReplicaView {
    const { replicas, name } = this.#partition(of);
    let replica = replicas.get(node);
    if (replica === undefined) {
      replica = unknownReplica(node, name);
      replicas.set(node, replica);
    }
    return replica;
  }

  /** The node's disk was replaced or lost its tail: nothing is known of its logs until they are opened. */
  excuseLoss(node: NodeId): void {
    for (const { replicas } of this.partitions()) {
      const replica = replicas.get(node);
      if (replica !== undefined) forgetLog(replica);
    }
  }

  fold(stamped: Stamped): void {
    this.#fold(stamped);
    this.coordinators.fold(stamped);
    if (TxnLogs.CONCERNS.has(stamped.event.type)) this.transactions.fold(stamped.event, this.#about(stamped));
  }

  /** The replica that an event says something of. */
  #about({ node, event }: Stamped): ReplicaView | undefined {
    return 'topicId' in event ? this.partition(event)?.replicas.get(node) : undefined;
  }

  #fold({ node, event }: Stamped): void {
    switch (event.type) {
      case 'log.opened':
        this.#opened(this.replica(node, event), event);
        break;
      case 'log.appended': {
        const replica = this.replica(node, event);
        for (const batch of event.batches) replica.batches.push(batch);
        replica.logEndOffset = event.logEndOffset;
        break;
      }
      case 'log.truncated': {
        const replica = this.replica(node, event);
        replica.batches.length = firstEndingFrom(replica.batches, event.to);
        replica.logEndOffset = Math.min(replica.logEndOffset, event.to);
        replica.logStartOffset = Math.min(replica.logStartOffset, event.to);
        replica.highWatermark = event.highWatermark;
        break;
      }
      case 'log.start': {
        const replica = this.replica(node, event);
        replica.batches.splice(0, firstEndingFrom(replica.batches, event.logStartOffset));
        replica.logStartOffset = event.logStartOffset;
        replica.logEndOffset = Math.max(replica.logEndOffset, event.logStartOffset);
        replica.highWatermark = Math.max(replica.highWatermark, event.logStartOffset);
        break;
      }
      case 'log.cleaned': {
        const partition = this.#partition(event);
        partition.cleanedTo = Math.max(partition.cleanedTo, event.upTo);
        this.#cleaned.add(partition.name);
        break;
      }
      case 'log.epochs':
        this.replica(node, event).epochs = event.epochs;
        break;
      case 'log.deleted':
        this.partition(event)?.replicas.delete(node);
        break;
      case 'metadata.committed':
        this.#committed(event);
        break;
      case 'logs.lossy':
        this.excuseLoss(node);
        break;
      default:
        this.#foldRole(node, event);
    }
  }

  #foldRole(node: NodeId, event: TraceEvent): void {
    switch (event.type) {
      case 'leader.started': {
        const replica = this.replica(node, event);
        // Only who was no leader before forgets what it recorded (repl R-42).
        if (replica.role !== 'leader') replica.recorded.clear();
        replica.role = 'leader';
        replica.leaderEpoch = event.leaderEpoch;
        replica.isr = replica.maximalIsr = event.isr;
        replica.minIsr = event.minIsr;
        if (replica.lossy) this.#partition(event).excused = true;
        break;
      }
      case 'follower.started': {
        const replica = this.replica(node, event);
        replica.recorded.clear();
        replica.role = 'follower';
        replica.leaderEpoch = event.leaderEpoch;
        replica.isr = replica.maximalIsr = [];
        break;
      }
      case 'hw':
        this.replica(node, event).highWatermark = event.to;
        break;
      case 'fetch.recorded':
        this.replica(node, event).recorded.set(event.follower, event.offset);
        break;
      case 'isr': {
        const replica = this.replica(node, event);
        replica.isr = event.isr;
        replica.maximalIsr = event.maximalIsr;
        replica.minIsr = event.minIsr;
        break;
      }
      default:
    }
  }

  #opened(replica: ReplicaView, event: EventOf<'log.opened'>): void {
    const { batches, logEndOffset } = replica;
    // What a loss took is no earlier log to compare with.
    if (event.lossy) forgetLog(replica);
    else replica.earlier = { batches, logEndOffset };
    replica.batches = [...event.batches];
    replica.logStartOffset = event.logStartOffset;
    replica.logEndOffset = event.logEndOffset;
    replica.highWatermark = event.highWatermark;
    replica.epochs = event.epochs;
    replica.role = 'none';
    replica.leaderEpoch = -1;
    replica.isr = replica.maximalIsr = [];
    replica.recorded.clear();
  }

  #committed(event: EventOf<'metadata.committed'>): void {
    const record = event.record as MetadataRecord;
    const known = event.offset < this.metadata.endOffset;
    this.metadata.commit(event.offset, record);
    const change = record.partitionChange;
    if (known || !change) return;
    const decided = this.metadata.partition(change.topicId, change.partition);
    const partition = this.partition(change);
    if (decided === undefined || partition === undefined) return;
    // Who led last holds what was committed, unless it has lost it since: that shows when it begins to lead.
    const isUnclean = event.unclean === true || change.leaderRecoveryState === 'RECOVERING';
    if (isUnclean && change.reason !== 'last-known') partition.excused = true;
    if (!isUnclean) this.#rejoined(partition, decided);
  }

  /** Who joins the ISR has fetched everything that counts since its loss, which is made good by that. */
  #rejoined(partition: PartitionView, decided: Decided): void {
    const before = decided.states[decided.states.length - 2];
    for (const id of currentOf(decided).isr) {
      const replica = partition.replicas.get(id);
      // What a process before the loss had fetched says nothing: its proposal may be committed late.
      if (replica?.lossy === true && replica.role !== 'none' && before?.isr.includes(id) === false)
        replica.lossy = false;
    }
  }

  #partition(of: OfPartition): PartitionView {
    let partitions = this.#topics.get(of.topicId);
    if (partitions === undefined) {
      partitions = [];
      this.#topics.set(of.topicId, partitions);
    }
    const known = partitions[of.partition];
    if (known !== undefined) return known;
    const partition = {
      ...{ topicId: of.topicId, partition: of.partition, name: formatPartition(of.topic, of.partition) },
      ...{ replicas: new Map<NodeId, ReplicaView>(), excused: false, cleanedTo: 0 },
    };
    partitions[of.partition] = partition;
    this.#named.set(partition.name, partition);
    return partition;
  }
}

/** A shard of the transaction coordinators, as a partition. */
export function stateName(partition: number): string {
  return formatPartition('__transaction_state', partition);
}

/** A shard of the group coordinators, as a partition. */
export function offsetsName(partition: number): string {
  return formatPartition('__consumer_offsets', partition);
}

function forgetLog(replica: ReplicaView): void {
  replica.lossy = true;
  replica.role = 'none';
  replica.earlier = undefined;
  replica.batches = [];
  replica.epochs = [];
  replica.logEndOffset = replica.logStartOffset = replica.highWatermark = 0;
}
