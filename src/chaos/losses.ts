// Declares what may be lost: by unclean elections, and by replicas. Of which partitions a node held a part of what is committed
// when it lost its power or its disk, how many such losses at once each survives (repl ), and when it is made good;
// and what is compacted. What it means is the checkers'.
import { formatPartition, NO_LEADER, type NodeId, type Offset } from '../base/units.ts';
import type { MetadataImage, PartitionRegistration, TopicImage } from '../metadata/image.ts';
import type { MetadataRecord } from '../protocol/generated/index.ts';
import type { NewEntry } from '../history/operations.ts';
import type { TraceEvent } from '../trace/events.ts';

/** What a node starts without. */
export type Loss = 'power-loss' | 'wipe';

/** A start of a node, with the partitions of which a loss was declared. */
interface LossyStart {
  readonly what: Loss;
  readonly declared: Set<string>;
}

const MIN_ISR = 'min.insync.replicas';
const CLEANUP_POLICY = 'cleanup.policy';
/** Of topics that have none. */
const LOG_CLEANUP_POLICY = 'log.cleanup.policy';

export class Losses {
  readonly #image: MetadataImage;
  readonly #record: (entry: NewEntry) => void;
  /** Started without what it had, and not let in yet: it may still be taken for the process before it. */
  readonly #starting = new Map<NodeId, LossyStart>();
  /** Declared and not made good, by node: names of partitions. */
  readonly #open = new Map<NodeId, Set<string>>();
  /** The lowest min ISR that a topic, or the cluster (''), has had: what is older may have been acknowledged by so few. */
  readonly #lowest = new Map<string, number>();
  /** Declared as compacted, by name. */
  readonly #compacted = new Set<string>();
  /** A controller that starts again tells the end of its log once more. */
  #heardTo: Offset = 0;

  readonly #defaultPolicy: string;

  /** @param image The metadata as far as it has been told. `config`: what the brokers were started with. */
  constructor(image: MetadataImage, record: (entry: NewEntry) => void, config: Readonly<Record<string, unknown>> = {}) {
    this.#image = image;
    this.#record = record;
    this.#defaultPolicy = String(config[LOG_CLEANUP_POLICY] ?? '');
  }

  /** A node is about to start without what it had. Comes before it does, so that no acknowledgement after it is excused. */
  begin(node: NodeId, what: Loss): void {
    const start = { what, declared: new Set<string>() };
    this.#starting.set(node, start);
    for (const partition of this.#image.partitions()) this.#declareIfPart(partition, node, start);
  }

  /** Takes the next event. What it tells of the metadata is in the image already. */
  hear(event: TraceEvent): void {
    if (event.type === 'elected' && event.unclean) {
      const partition = formatPartition(event.topic, event.partition);
      const what = event.reason === 'last-known' ? 'last-known-election' : 'unclean-election';
      this.#record({ f: 'budget', type: 'info', process: 'controller', what, partition });
    } else if (event.type === 'metadata.committed' && event.offset >= this.#heardTo) {
      this.#heardTo = event.offset + 1;
      this.#committed(event.record as MetadataRecord);
    }
  }

  #committed(record: MetadataRecord): void {
    if (record.partition) this.#declareIfCompacted(this.#image.topics.get(record.partition.topicId));
    if (record.config?.name === CLEANUP_POLICY) this.#declareIfCompacted(this.#image.topicNamed(record.config.topic));
    if (record.config?.name === LOG_CLEANUP_POLICY) {
      for (const topic of this.#image.topics.values()) this.#declareIfCompacted(topic);
    }
    if (record.config?.name === MIN_ISR && !record.config.removed) {
      const { topic, value } = record.config;
      this.#lowest.set(topic, Math.min(this.#lowest.get(topic) ?? Infinity, Number(value)));
    }
    if (record.registerBroker) this.#starting.delete(record.registerBroker.brokerId);
    const change = record.partitionChange;
    const partition = change ? this.#image.partition(change.topicId, change.partition) : undefined;
    if (partition === undefined) return;
    for (const [node, start] of this.#starting) this.#declareIfPart(partition, node, start);
    for (const node of partition.isr) if (!this.#starting.has(node)) this.#makeGood(partition, node);
  }

  /** What a cleaner may take out of a topic of a run. The cluster's own topics nobody judges. */
  #declareIfCompacted(topic: TopicImage | undefined): void {
    if (topic === undefined || topic.name.startsWith('__')) return;
    const ofCluster = this.#image.clusterConfigs.get(LOG_CLEANUP_POLICY) ?? this.#defaultPolicy;
    if (!(topic.configs.get(CLEANUP_POLICY) ?? ofCluster).includes('compact')) return;
    for (const { partition: at } of topic.partitions) {
      const partition = formatPartition(topic.name, at);
      if (this.#compacted.has(partition)) continue;
      this.#compacted.add(partition);
      this.#record({ f: 'budget', type: 'info', process: 'controller', what: 'compaction', partition });
    }
  }

  #declareIfPart(partition: PartitionRegistration, node: NodeId, { what, declared }: LossyStart): void {
    const name = formatPartition(partition.topic, partition.partition);
    if (!hasPart(partition, node) || declared.has(name)) return;
    declared.add(name);
    this.#open.set(node, (this.#open.get(node) ?? new Set()).add(name));
    const tolerated = this.#image.hasElr ? this.#lowestMinIsr(partition) - 1 : 0;
    this.#record({ f: 'budget', type: 'info', process: 'faults', what, partition: name, node, tolerated });
  }

  /** Who joins the ISR of another leader has fetched everything that counts. */
  #makeGood(partition: PartitionRegistration, node: NodeId): void {
    if (partition.leader === NO_LEADER || partition.leader === node) return;
    const name = formatPartition(partition.topic, partition.partition);
    if (this.#open.get(node)?.delete(name) !== true) return;
    this.#record({ f: 'budget', type: 'info', process: 'controller', what: 'made-good', partition: name, node });
  }

  #lowestMinIsr({ topic, replicas }: PartitionRegistration): number {
    const own = this.#image.topicNamed(topic)?.configs.has(MIN_ISR) === true;
    const values = [this.#lowest.get(topic) ?? Infinity, own ? Infinity : (this.#lowest.get('') ?? 1)];
    return Math.min(replicas.length, ...values);
  }
}

/** Whether a node holds, or may be asked for, something that is committed. */
function hasPart({ isr, elr, lastKnownElr }: PartitionRegistration, node: NodeId): boolean {
  return isr.includes(node) || elr.includes(node) || lastKnownElr.includes(node);
}
