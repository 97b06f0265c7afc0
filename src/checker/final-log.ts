// What the replicas of one partition held at quiescence: the only thing from which absence can be concluded.
import type { NodeId, Offset } from '../base/units.ts';
import type { LogRecord, ReplicaObservation } from '../history/operations.ts';

export class FinalLog {
  readonly partition: string;
  /** In order of observation. */
  readonly replicas: readonly ReplicaObservation[];
  /** Whether every replica was seen and all had the same ends: only then does absence prove anything. */
  readonly complete: boolean;
  /** True if a record's value could not be decoded: then the absence of a value proves nothing. */
  readonly opaque: boolean;
  /** Below this, some replica has deleted what it held. */
  readonly logStartOffset: Offset;
  readonly #values = new Set<string>();
  #byOffset: Map<Offset, Map<NodeId, LogRecord>> | undefined;

  constructor(partition: string, replicas: readonly ReplicaObservation[], complete: boolean) {
    this.partition = partition;
    this.replicas = replicas;
    this.complete = complete;
    let opaque = false;
    let logStartOffset = 0;
    const [first] = replicas;
    for (const replica of replicas) {
      logStartOffset = Math.max(logStartOffset, replica.logStartOffset);
      replica.records.forEach(({ value, marker }, at) => {
        if (value === undefined) opaque ||= marker === undefined;
        // Replicas that agree hold the same values in the same places; a comparison is cheaper than a look-up.
        else if (replica === first || first?.records[at]?.value !== value) this.#values.add(value);
      });
    }
    this.opaque = opaque;
    this.logStartOffset = logStartOffset;
  }

  /** Whether any replica holds a value, at whatever offset. */
  holds(value: string): boolean {
    return this.#values.has(value);
  }

  /** Whether a value that is not held is known to be gone. */
  get provesAbsence(): boolean {
    return this.complete && !this.opaque;
  }

  /** What the replicas hold at an offset, by node. */
  at(offset: Offset): ReadonlyMap<NodeId, LogRecord> {
    this.#byOffset ??= this.#index();
    return this.#byOffset.get(offset) ?? new Map<NodeId, LogRecord>();
  }

  #index(): Map<Offset, Map<NodeId, LogRecord>> {
    const index = new Map<Offset, Map<NodeId, LogRecord>>();
    for (const { node, records } of this.replicas) {
      for (const record of records) {
        const there = index.get(record.offset);
        if (there === undefined) index.set(record.offset, new Map([[node, record]]));
        else there.set(node, record);
      }
    }
    return index;
  }
}
