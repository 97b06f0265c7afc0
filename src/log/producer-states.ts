// The producers that one log knows, kept against its reserved end (design section 4): every batch given an offset is
// applied at once, whoever wrote it (txn T-91). The rules on one producer are producer-entry.ts's; the store is not known.
import type { EpochMs, Offset } from '../base/units.ts';
import { isControl, isTransactional } from './attributes.ts';
import type { IndexedBatch } from './batch-index.ts';
import { isExpired, withBatch, withMarker } from './producer-entry.ts';
import type { ProducerEntry } from './producer-entry.ts';
import { encodeSnapshot } from './producer-snapshot.ts';

export class ProducerStates {
  /** By producer id, in the order in which they came. */
  #entries: Map<number, ProducerEntry>;

  /** `entries` is kept. */
  constructor(entries: Map<number, ProducerEntry> = new Map()) {
    this.#entries = entries;
  }

  /** What is known of a producer. */
  of(producerId: number): ProducerEntry | undefined {
    return this.#entries.get(producerId);
  }

  /** All of them. */
  all(): ReadonlyMap<number, ProducerEntry> {
    return this.#entries;
  }

  /** A batch has its place in the log. */
  apply(batch: IndexedBatch): void {
    const { producerId, attributes, marker } = batch;
    if (producerId < 0) return;
    const known = this.#entries.get(producerId);
    if (!isControl(attributes)) {
      this.#entries.set(producerId, withBatch(known, batch, isTransactional(attributes)));
      return;
    }
    if (marker !== undefined) this.#entries.set(producerId, withMarker(known, marker));
  }

  /** Forgets who was silent for too long (txn T-109). Answers who that was. */
  expire(now: EpochMs, expirationMs: number): readonly number[] {
    const silent = [...this.#entries].flatMap(([id, entry]) => (isExpired(entry, now, expirationMs) ? [id] : []));
    for (const producerId of silent) this.#entries.delete(producerId);
    return silent;
  }

  /** Forgets whose newest batch lies below the log start, as leaders did before KIP-360. */
  forgetBelow(logStartOffset: Offset): void {
    for (const [producerId, { batches, currentTxnFirstOffset }] of this.#entries) {
      const newest = batches.at(-1);
      if (currentTxnFirstOffset !== undefined || newest === undefined || newest.lastOffset >= logStartOffset) continue;
      this.#entries.delete(producerId);
    }
  }

  /** All of them, to be stored (txn T-110). */
  snapshot(): Buffer {
    return encodeSnapshot(this.#entries);
  }

  /** Something else is true now. `entries` is kept. */
  replace(entries: Map<number, ProducerEntry>): void {
    this.#entries = entries;
  }
}
