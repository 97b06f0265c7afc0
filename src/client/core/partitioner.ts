// Chooses the partition of a record as Kafka's default partitioner does: the one asked for, else by the key's hash, else
// the same one until its batch is closed, so that records without key fill batches. Knows no queue.
import type { Random } from '../../runtime/ports.ts';
import { NO_LEADER } from '../../base/units.ts';
import type { TopicMetadata } from './metadata-cache.ts';
import { partitionOfKey } from './murmur2.ts';
import type { ProducerRecord } from './producer-record.ts';

export class Partitioner {
  readonly #random: Random;
  readonly #sticky = new Map<string, number>();

  constructor(random: Random) {
    this.#random = random;
  }

  /** The partition of `record`; undefined if the topic has no such partition. */
  choose(record: ProducerRecord, topic: TopicMetadata): number | undefined {
    const count = topic.partitions.length;
    if (record.partition !== undefined) {
      return Number.isInteger(record.partition) && record.partition >= 0 && record.partition < count
        ? record.partition
        : undefined;
    }
    if (record.key !== undefined && record.key !== null) return partitionOfKey(record.key, count);
    const sticky = this.#sticky.get(topic.name);
    return sticky !== undefined && sticky < count ? sticky : this.#stick(topic);
  }

  /** A batch of this partition takes no more records: the next record without key goes elsewhere. */
  batchClosed(topic: TopicMetadata, partition: number): void {
    if (this.#sticky.get(topic.name) === partition) this.#stick(topic);
  }

  /** Draws among partitions with a leader, not the present one unless it is the only one. */
  #stick(topic: TopicMetadata): number {
    const present = this.#sticky.get(topic.name);
    const led = topic.partitions.filter((partition) => partition.leader !== NO_LEADER);
    const candidates = led.length > 0 ? led : topic.partitions;
    const others = candidates.filter(({ partition }) => partition !== present);
    const from = others.length > 0 ? others : candidates;
    const chosen = from[this.#random.below(from.length)]!.partition;
    this.#sticky.set(topic.name, chosen);
    return chosen;
  }
}
