// What the replicas of one partition held at quiescence: the only thing from which absence can be concluded.
import type { NodeId, Offset } from '../base/units.ts';
import type { LogRecord, ReplicaObservation } from '../history/operations.ts';
import { placeOf } from './search.ts';

export class FinalLog {
  readonly partition: string;
  /** In order of observation. */
  readonly replicas: readonly ReplicaObservation[];
  /** The first of those that hold the same values at the same offsets, as seen beside the first of all. */
  readonly distinct: readonly ReplicaObservation[];
  /** Whether every replica was seen and all had the same ends: only then does absence prove anything. */
  readonly complete: boolean;
  /** True if a record's value could not be decoded: then the absence of a value proves nothing. */
  readonly opaque: boolean;
  /** Below this, some replica has deleted what it held. */
  readonly logStartOffset: Offset;
  /** Made when somebody asks for a value that is not where it was said to be: in a sound log nobody does. */
  #values: Set<string> | undefined;
  #byOffset: Map<Offset, Map<NodeId, LogRecord>> | undefined;

  constructor(partition: string, replicas: readonly ReplicaObservation[], complete: boolean) {
    this.partition = partition;
    this.replicas = replicas;
    this.complete = complete;
    const [first, ...others] = replicas;
    // Replicas that agree hold the same; a comparison is cheaper than what is done with each of them.
    this.distinct = first === undefined ? [] : [first, ...others.filter((other) => !holdSame(first, other))];
    this.opaque = this.distinct.some(({ records }) =>
      records.some(({ value, marker }) => value === undefined && marker === undefined),
    );
    this.logStartOffset = replicas.reduce((start, replica) => Math.max(start, replica.logStartOffset), 0);
  }

  /** Whether any replica holds a value, at whatever offset. */
  holds(value: string): boolean {
    this.#values ??= this.#allValues();
    return this.#values.has(value);
  }

  /** Where a value stands first, and the entry that shows it; undefined if nobody holds it. */
  holderOf(value: string): { readonly offset: Offset; readonly index: number } | undefined {
    for (const { records, index } of this.distinct) {
      const record = records.find((one) => one.value === value);
      if (record !== undefined) return { offset: record.offset, index };
    }
    return undefined;
  }

  /** Whether some replica holds a value at an offset. */
  holdsAt(offset: Offset, value: string): boolean {
    for (const { records } of this.distinct) {
      const record = records[placeOf(records, offset)];
      if (record?.offset === offset && record.value === value) return true;
    }
    return false;
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

  #allValues(): Set<string> {
    const values = new Set<string>();
    for (const { records } of this.distinct)
      for (const { value } of records) if (value !== undefined) values.add(value);
    return values;
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

/** Whether two replicas hold the same values at the same offsets. */
function holdSame({ records }: ReplicaObservation, other: ReplicaObservation): boolean {
  if (records === other.records) return true;
  return (
    records.length === other.records.length &&
    records.every(({ offset, value, marker }, at) => {
      const there = other.records[at]!;
      return there.offset === offset && there.value === value && there.marker === marker;
    })
  );
}
