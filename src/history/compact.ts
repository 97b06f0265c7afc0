// Entries of a history that is read, with what many of them say kept once: names, and the records of replicas that hold the
// same. Three replicas of a long log take the room of one. Changes nothing that an entry says.
import type { HistoryEntry, LogRecord, ReplicaObservation } from './operations.ts';

type Open<T> = { -readonly [K in keyof T]: T[K] };

export class Compact {
  readonly #names = new Map<string, string>();
  /** The records of a partition as they were observed last. */
  readonly #records = new Map<string, readonly LogRecord[]>();

  /** The same entry; it must have been made for this call, for it is changed in place. */
  take(entry: HistoryEntry): HistoryEntry {
    const open: { process: string; partition?: unknown } = entry as Open<HistoryEntry>;
    open.process = this.#name(open.process);
    if (typeof open.partition === 'string') open.partition = this.#name(open.partition);
    if (entry.f === 'replica') this.#share(entry);
    return entry;
  }

  #name(name: string): string {
    const known = this.#names.get(name);
    if (known === undefined) this.#names.set(name, name);
    return known ?? name;
  }

  #share(entry: Open<ReplicaObservation>): void {
    const before = this.#records.get(entry.partition);
    if (before !== undefined && areSame(before, entry.records)) entry.records = before;
    else this.#records.set(entry.partition, entry.records);
  }
}

function areSame(some: readonly LogRecord[], others: readonly LogRecord[]): boolean {
  return some.length === others.length && some.every((record, at) => isSame(record, others[at]!));
}

/** All of them: a new one that is missing here does not compile. */
const FIELDS = Object.keys({
  ...{ offset: 0, leaderEpoch: 0, crc: 0, value: 0, producerId: 0, producerEpoch: 0 },
  ...{ transactional: 0, marker: 0, coordinatorEpoch: 0 },
} satisfies Record<keyof LogRecord, 0>) as (keyof LogRecord)[];

function isSame(a: LogRecord, b: LogRecord): boolean {
  return FIELDS.every((field) => a[field] === b[field]);
}
