// What one group has committed of one partition: as it was at every place of the log that a reader may still stand at (wire
// G-8), and what transactions may make of it (txn T-65). Which record does what is the store's.
import { assert } from '../../../base/assert.ts';
import type { Offset } from '../../../base/units.ts';
import type { OffsetKey, OffsetValue } from './offset-record.ts';

/** A commit, and where its record stands: that of a TxnOffsetCommit, not of the marker (txn T-67). */
export interface StoredOffset extends OffsetValue {
  readonly recordOffset: Offset;
}

/** An entry as requests see it. */
export interface OffsetView extends OffsetKey {
  /** With everything that was appended; undefined: none. */
  readonly latest: StoredOffset | undefined;
  /** By producer id: commits of transactions that are not decided. */
  readonly pending: ReadonlyMap<number, StoredOffset>;
  /** As it was when the log ended at `bound`, which must not be below an earlier high watermark. */
  asOf(bound: Offset): StoredOffset | undefined;
}

interface Version {
  /** Where the record, or the marker, stands that made it so. */
  readonly at: Offset;
  /** Undefined: deleted. */
  readonly stored: StoredOffset | undefined;
}

export class OffsetEntry implements OffsetView {
  readonly groupId: string;
  readonly topic: string;
  readonly partition: number;
  readonly pending = new Map<number, StoredOffset>();
  /** Ascending. */
  #versions: Version[] = [];

  constructor({ groupId, topic, partition }: OffsetKey) {
    this.groupId = groupId;
    this.topic = topic;
    this.partition = partition;
  }

  get latest(): StoredOffset | undefined {
    return this.#versions.at(-1)?.stored;
  }

  /** Nothing of it is left to be seen. */
  get isEmpty(): boolean {
    return this.#versions.length === 0 && this.pending.size === 0;
  }

  asOf(bound: Offset): StoredOffset | undefined {
    return this.#versions.findLast(({ at }) => at < bound)?.stored;
  }

  /** From `at` on it is this; undefined: deleted. */
  change(at: Offset, stored: StoredOffset | undefined): void {
    const last = this.#versions.at(-1);
    assert(last === undefined || last.at < at, `wire G-34: ${this.groupId} is changed at ${at} after ${last?.at}`);
    this.#versions.push({ at, stored });
  }

  /** Forgets what no reader will see again: the log is committed below `bound`. */
  prune(bound: Offset): void {
    const seen = this.#versions.findLastIndex(({ at }) => at < bound);
    if (seen < 0) return;
    const isDeletion = this.#versions[seen]!.stored === undefined;
    this.#versions = this.#versions.slice(isDeletion ? seen + 1 : seen);
  }
}
