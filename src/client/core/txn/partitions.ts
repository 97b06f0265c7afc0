// The partitions of one transaction as its producer knows them: chosen by a record, asked for, registered. Under version 2
// leaders register them, so they count as registered at once (txn T-59, T-153).
import type { TopicPartition } from '../../../base/units.ts';
import { formatPartition } from '../../../base/units.ts';

export class TxnPartitions {
  readonly #chosen = new Map<string, TopicPartition>();
  readonly #asked = new Set<string>();
  readonly #registered = new Set<string>();

  /** None is registered yet. */
  get isFirst(): boolean {
    return this.#registered.size === 0;
  }

  has(of: TopicPartition): boolean {
    return this.#registered.has(nameOf(of));
  }

  /** A record goes there. */
  choose(of: TopicPartition): void {
    const name = nameOf(of);
    if (this.#registered.has(name) || this.#asked.has(name)) return;
    this.#chosen.set(name, { topic: of.topic, partition: of.partition });
  }

  register(partitions: readonly TopicPartition[]): void {
    for (const of of partitions) {
      this.#asked.delete(nameOf(of));
      this.#registered.add(nameOf(of));
    }
  }

  /** Takes those that nobody has asked for yet. */
  take(): TopicPartition[] {
    const taken = [...this.#chosen.values()];
    for (const name of this.#chosen.keys()) this.#asked.add(name);
    this.#chosen.clear();
    return taken;
  }

  /** Those that nobody has asked for yet are not needed any more: the transaction is aborted. */
  forgetChosen(): void {
    this.#chosen.clear();
  }

  clear(): void {
    this.#chosen.clear();
    this.#asked.clear();
    this.#registered.clear();
  }
}

function nameOf({ topic, partition }: TopicPartition): string {
  return formatPartition(topic, partition);
}
