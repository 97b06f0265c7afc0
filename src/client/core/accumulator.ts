// Records that wait to be sent, in batches, a queue for each partition. Says what is ready and when; sends nothing and
// knows no broker.
import type { DurationMs, InstantMs } from '../../base/units.ts';
import { formatPartition } from '../../base/units.ts';
import type { ClientConfig } from './config.ts';
import { ProducerBatch, type PendingRecord } from './producer-batch.ts';

/** The batches of one partition, oldest first, without those under way. */
export interface PartitionQueue {
  readonly topic: string;
  readonly partition: number;
  readonly batches: ProducerBatch[];
  /** Batches sent and not answered. */
  underWay: number;
}

/** Settings that matter here. */
export type AccumulatorConfig = Pick<ClientConfig, 'batch.size' | 'linger.ms' | 'buffer.memory' | 'transactional.id'>;

export class Accumulator {
  readonly #config: AccumulatorConfig;
  readonly #queues = new Map<string, PartitionQueue>();
  readonly #onClosed: (batch: ProducerBatch) => void;
  #batchCount = 0;
  #usedBytes = 0;

  /** `onClosed` hears of each batch once, when it takes no more records. */
  constructor(config: AccumulatorConfig, onClosed: (batch: ProducerBatch) => void) {
    this.#config = config;
    this.#onClosed = onClosed;
  }

  /** Partitions that ever had a record, in the order of their first. */
  get queues(): Iterable<PartitionQueue> {
    return this.#queues.values();
  }

  /** Whether a record of this size fits into buffer.memory now. An empty buffer takes any record. */
  hasMemory(bytes: number): boolean {
    return this.#usedBytes === 0 || this.#usedBytes + bytes <= this.#config['buffer.memory'];
  }

  /** Adds a record to its partition's open batch, or to a new one. True if a sender may now have something to do. */
  append(topic: string, partition: number, pending: PendingRecord, now: InstantMs): boolean {
    const queue = this.queueOf(topic, partition);
    let batch = queue.batches.at(-1);
    let news = false;
    if (batch === undefined || !batch.hasRoom(pending.data, this.#config['batch.size'])) {
      if (batch !== undefined) this.close(batch);
      batch = new ProducerBatch({ topic, partition }, this.#batchCount++, now, this.#config['transactional.id'] !== '');
      queue.batches.push(batch);
      news = true;
    }
    const before = news ? 0 : batch.sizeBytes;
    batch.add(pending);
    this.#usedBytes += batch.sizeBytes - before;
    if (batch.sizeBytes < this.#config['batch.size']) return news;
    this.close(batch);
    return true;
  }

  queueOf(topic: string, partition: number): PartitionQueue {
    const name = formatPartition(topic, partition);
    let queue = this.#queues.get(name);
    if (queue === undefined) {
      queue = { topic, partition, batches: [], underWay: 0 };
      this.#queues.set(name, queue);
    }
    return queue;
  }

  /** The batch takes no more records. */
  close(batch: ProducerBatch): void {
    if (batch.closed) return;
    batch.closed = true;
    this.#onClosed(batch);
  }

  /** Puts a batch back where it belongs: before all that were begun after it. */
  requeue(batch: ProducerBatch): void {
    const { batches } = this.queueOf(batch.topic, batch.partition);
    const at = batches.findIndex((other) => other.order > batch.order);
    batches.splice(at < 0 ? batches.length : at, 0, batch);
  }

  /** The batch is settled: its memory is free again. */
  release(batch: ProducerBatch): void {
    this.#usedBytes -= batch.sizeBytes;
  }

  /** When the batch may be sent: full, lingered for long enough or pushed, and after its backoff. */
  readyAt(batch: ProducerBatch, pushed: boolean): InstantMs {
    const lingered = batch.closed || pushed ? batch.createdAt : batch.createdAt + this.lingerMs;
    return Math.max(lingered, batch.retryAt);
  }

  get lingerMs(): DurationMs {
    return this.#config['linger.ms'];
  }
}
