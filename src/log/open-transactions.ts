// The transactions of one log that readers must wait for (txn T-125): those without a marker, and those whose marker is not
// below the high watermark yet. Kept against the reserved end: what is reserved only begins or ends at or above every high
// watermark, and so changes no last stable offset before it is counted.
import type { Offset } from '../base/units.ts';
import { isControl, isTransactional } from './attributes.ts';
import type { IndexedBatch } from './batch-index.ts';
import type { AbortedEntry } from './transactions-api.ts';

/** A transaction that has its marker. */
export interface CompletedTransaction {
  readonly firstOffset: Offset;
  readonly markerOffset: Offset;
}

export class OpenTransactions {
  /** First offsets by producer id. A producer has one at most, so they stand in the order of their first offsets. */
  readonly #ongoing: Map<number, Offset>;
  /** In the order of their markers. */
  #unreplicated: CompletedTransaction[] = [];
  /** Smallest first offset of the unreplicated ones. */
  #firstUnreplicated = Infinity;

  /** `ongoing` is kept; in the order of the offsets. */
  constructor(ongoing: Map<number, Offset> = new Map()) {
    this.#ongoing = ongoing;
  }

  /** Smallest first offset of all (txn T-126, not yet raised to the log start). */
  get firstUnstable(): Offset | undefined {
    const first = Math.min(this.#firstOngoing() ?? Infinity, this.#firstUnreplicated);
    return first === Infinity ? undefined : first;
  }

  get unreplicated(): readonly CompletedTransaction[] {
    return this.#unreplicated;
  }

  #firstOngoing(): Offset | undefined {
    for (const firstOffset of this.#ongoing.values()) return firstOffset;
    return undefined;
  }

  /** A batch has its place in the log (txn T-106, T-125). Answers the entry of the aborted index it makes (txn T-139). */
  apply(batch: IndexedBatch): AbortedEntry | undefined {
    const { producerId, attributes, marker, baseOffset, lastOffset } = batch;
    if (producerId < 0 || !isTransactional(attributes)) return undefined;
    const firstOffset = this.#ongoing.get(producerId);
    if (!isControl(attributes)) {
      if (firstOffset === undefined) this.#ongoing.set(producerId, baseOffset);
      return undefined;
    }
    if (marker === undefined || firstOffset === undefined) return undefined;
    this.#ongoing.delete(producerId);
    this.#unreplicated.push({ firstOffset, markerOffset: lastOffset });
    this.#firstUnreplicated = Math.min(this.#firstUnreplicated, firstOffset);
    if (marker.type === 'commit') return undefined;
    return { producerId, firstOffset, lastOffset, lastStableOffset: this.#firstOngoing() ?? lastOffset + 1 };
  }

  /** Markers below the high watermark are replicated. */
  replicated(highWatermark: Offset): void {
    const left = this.#unreplicated.findIndex(({ markerOffset }) => markerOffset >= highWatermark);
    if (left !== 0) this.#keep(left < 0 ? [] : this.#unreplicated.slice(left));
  }

  /** The high watermark fell below the markers of these: they are undecided again (txn INV-16). */
  undecide(earlier: readonly CompletedTransaction[]): void {
    this.#keep([...earlier, ...this.#unreplicated]);
  }

  #keep(unreplicated: CompletedTransaction[]): void {
    this.#unreplicated = unreplicated;
    this.#firstUnreplicated = unreplicated.reduce((least, { firstOffset }) => Math.min(least, firstOffset), Infinity);
  }
}
