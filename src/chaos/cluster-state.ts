// The cluster as its events tell it: who leads, who is in sync, how far each replica is. A fold of one event stream, so that
// the scenario engine knows nothing that a report could not know. Sees a node's past, never its present.
import { CONTROLLER_ID, formatPartition, type NodeId, type Offset, type TopicPartition } from '../base/units.ts';
import type { ClusterView } from '../fault/selectors.ts';
import { MetadataImage, type PartitionRegistration } from '../metadata/image.ts';
import type { MetadataRecord } from '../protocol/generated/index.ts';
import type { Stamped, TraceEvent } from '../trace/events.ts';
import { CoordinatorState } from './coordinator-state.ts';
import type { Bound, Condition } from './moments.ts';

interface ReplicaEnds {
  highWatermark: Offset;
  logEndOffset: Offset;
  /** Smallest first offset of what is not stable; -1 none. The last stable offset follows (txn T-127). */
  firstUnstableOffset: Offset;
}

type LogEvent = Extract<TraceEvent, { readonly type: 'log.opened' | 'log.appended' | 'log.truncated' | 'hw' | 'lso' }>;

export class ClusterState implements ClusterView {
  readonly controller = CONTROLLER_ID;
  readonly brokers: readonly NodeId[];
  readonly #below: (bound: number) => number;
  readonly #image = new MetadataImage();
  /** By "topic-partition", then node. */
  readonly #replicas = new Map<string, Map<NodeId, ReplicaEnds>>();

  readonly #coordinators = new CoordinatorState();
  /** What consumers were given, by client. */
  readonly #seen = new Map<string, Set<string>>();

  /** @param below Draws for the selector `random`: a whole number in [0, bound). */
  constructor(brokers: readonly NodeId[], below: (bound: number) => number) {
    this.brokers = brokers;
    this.#below = below;
  }

  below(bound: number): number {
    return this.#below(bound);
  }

  partition(of: TopicPartition): PartitionRegistration | undefined {
    return this.#image.topicNamed(of.topic)?.partitions[of.partition];
  }

  partitionCount(topic: string): number {
    return this.#image.topicNamed(topic)?.partitions.length ?? 0;
  }

  /** The metadata as far as it has been told. */
  get image(): MetadataImage {
    return this.#image;
  }

  /** Whether the controller has every broker registered and unfenced. */
  get allUnfenced(): boolean {
    return this.brokers.every((id) => this.#image.brokers.get(id)?.fenced === false);
  }

  /** Whether a coordinator has decided a transaction and not completed it. */
  get isCompleting(): boolean {
    return this.#coordinators.isCompleting;
  }

  /** Partitions that exist now, topic by topic. */
  get partitions(): readonly TopicPartition[] {
    return [...this.#image.partitions()].map(({ topic, partition }) => ({ topic, partition }));
  }

  /** Takes the next event of a node. Events of one node come in order; those of several in any. */
  apply({ node, event }: Stamped): void {
    switch (event.type) {
      case 'metadata.committed':
        // A controller that starts again may tell the end of its log once more.
        if (event.offset === this.#image.endOffset) this.#image.apply(event.offset, event.record as MetadataRecord);
        return;
      case 'log.opened':
      case 'log.appended':
      case 'log.truncated':
      case 'hw':
      case 'lso':
        this.#applyToReplica(node, event);
        return;
      default:
        this.#coordinators.apply(event);
    }
  }

  #applyToReplica(node: NodeId, event: LogEvent): void {
    const name = formatPartition(event.topic, event.partition);
    const nodes = this.#replicas.get(name) ?? new Map<NodeId, ReplicaEnds>();
    this.#replicas.set(name, nodes);
    const ends = nodes.get(node) ?? { highWatermark: 0, logEndOffset: 0, firstUnstableOffset: -1 };
    nodes.set(node, ends);
    switch (event.type) {
      case 'log.opened':
        ends.logEndOffset = event.logEndOffset;
        ends.highWatermark = event.highWatermark;
        return;
      case 'log.appended':
        ends.logEndOffset = event.logEndOffset;
        return;
      case 'log.truncated':
        ends.logEndOffset = event.to;
        ends.highWatermark = event.highWatermark;
        return;
      case 'hw':
        ends.highWatermark = event.to;
        return;
      case 'lso':
        ends.firstUnstableOffset = event.firstUnstableOffset;
    }
  }

  /** A consumer was given records. */
  delivered(client: string, values: readonly string[]): void {
    const seen = this.#seen.get(client) ?? new Set<string>();
    this.#seen.set(client, seen);
    for (const value of values) seen.add(value);
  }

  /** Whether a condition holds, as far as events have told. */
  holds(condition: Condition): boolean {
    switch (condition.kind) {
      case 'fenced':
        return this.#image.brokers.get(condition.node)?.fenced === true;
      case 'leader':
        return this.partition(condition.of)?.leader === condition.node;
      case 'isr': {
        const isr = [...(this.partition(condition.of)?.isr ?? [])].sort((a, b) => a - b);
        return isr.length > 0 && isr.join() === condition.nodes.join();
      }
      case 'replicated': {
        const isr = this.partition(condition.of)?.isr ?? [];
        return isr.length > 0 && isr.every((id) => this.#ends(condition.of, id).logEndOffset >= condition.end);
      }
      case 'hw':
      case 'end': {
        const node = condition.node ?? this.partition(condition.of)?.leader ?? -1;
        const ends = this.#ends(condition.of, node);
        return compare(condition.kind === 'hw' ? ends.highWatermark : ends.logEndOffset, condition.bound);
      }
      case 'lso':
        return this.#stable(condition.of, condition.bound);
      case 'txn':
        return condition.states.includes(this.#coordinators.transaction(condition.transactionalId) ?? '');
      case 'group': {
        const group = this.#coordinators.group(condition.group);
        if (condition.members !== undefined) return compare(group?.members ?? 0, condition.members);
        return group?.state === condition.state;
      }
      case 'visible':
        return condition.values.some((value) => this.#seen.get(condition.client)?.has(value) === true);
    }
  }

  #stable(of: TopicPartition, bound: Bound | 'hw'): boolean {
    const { firstUnstableOffset, highWatermark, logEndOffset } = this.#ends(of, this.partition(of)?.leader ?? -1);
    const stable = firstUnstableOffset < 0 ? highWatermark : Math.min(firstUnstableOffset, highWatermark);
    return bound === 'hw' ? stable === highWatermark && highWatermark === logEndOffset : compare(stable, bound);
  }

  #ends(of: TopicPartition, node: NodeId): ReplicaEnds {
    const known = this.#replicas.get(formatPartition(of.topic, of.partition))?.get(node);
    return known ?? { highWatermark: 0, logEndOffset: 0, firstUnstableOffset: -1 };
  }
}

function compare(actual: number, { op, value }: Bound): boolean {
  switch (op) {
    case '>=':
      return actual >= value;
    case '<=':
      return actual <= value;
    case '>':
      return actual > value;
    case '<':
      return actual < value;
    case '=':
      return actual === value;
  }
}
