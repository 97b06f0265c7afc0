// Where each counted batch of a log stands: offsets, sizes and the header fields that lookups need, and the bytes of
// the newest ones (design section 4). Older bytes are in the store. Not the log's ends; see partition-log.ts.
import type { BatchHeader } from '../protocol/batch-header.ts';
import type { EpochMs, LeaderEpoch, Offset } from '../base/units.ts';
import { isControl } from './attributes.ts';
import { decodeMarker } from './control-batch.ts';
import type { Marker } from './control-batch.ts';
import type { BatchKey } from './keys.ts';

/** One batch. */
export interface IndexedBatch extends BatchKey {
  readonly sizeBytes: number;
  readonly leaderEpoch: LeaderEpoch;
  readonly crc: number;
  readonly maxTimestamp: EpochMs;
  readonly attributes: number;
  /** -1: its producer does not number its batches. Its epoch and first sequence mean nothing then (wire W-49). */
  readonly producerId: number;
  readonly producerEpoch: number;
  readonly baseSequence: number;
  /** Of a control batch, if it is a transaction marker (txn T-115). */
  readonly marker?: Marker | undefined;
}

interface Entry extends IndexedBatch {
  /** Bytes of all batches ever pushed before this one: differences are sizes of ranges. */
  position: number;
  /** Kept for the newest batches only. */
  bytes: Buffer | undefined;
}

/** The index fields of the batch that begins `bytes`, written where the log before it ended at `previousEnd`. */
export function indexed(header: BatchHeader, previousEnd: Offset, bytes: Buffer): IndexedBatch {
  // One literal without spreads: this runs for every batch on every replica.
  return {
    baseOffset: header.baseOffset,
    lastOffset: header.lastOffset,
    previousEnd,
    sizeBytes: header.sizeBytes,
    leaderEpoch: header.leaderEpoch,
    crc: header.crc,
    maxTimestamp: header.maxTimestamp,
    attributes: header.attributes,
    producerId: header.producerId,
    producerEpoch: header.producerEpoch,
    baseSequence: header.baseSequence,
    marker: isControl(header.attributes) ? decodeMarker(bytes) : undefined,
  };
}

/** The batches of one log in offset order, addressed by place. Places shift when the front is dropped. */
export class BatchIndex {
  readonly #entries: Entry[] = [];
  readonly #newestMaxBytes: number;
  #endPosition = 0;
  /** Entries from here on have their bytes. */
  #newestFrom = 0;
  #newestBytes = 0;
  /** Bytes of rewritten batches that the store may not have yet, by base offset. */
  readonly #rewritten = new Map<Offset, Buffer>();

  /** Keeps the bytes of the newest batches up to `newestMaxBytes`, and of the last one in any case. */
  constructor(newestMaxBytes: number) {
    this.#newestMaxBytes = newestMaxBytes;
  }

  get length(): number {
    return this.#entries.length;
  }

  at(place: number): IndexedBatch | undefined {
    return this.#entries.at(place);
  }

  entries(): readonly IndexedBatch[] {
    return this.#entries;
  }

  /** Bytes of a batch if they are in memory. */
  bytesAt(place: number): Buffer | undefined {
    const entry = this.#entries[place];
    if (entry === undefined) return undefined;
    return entry.bytes ?? this.#rewritten.get(entry.baseOffset);
  }

  /** Adds the next batch. Without `bytes` (at load) it will be read from the store. */
  push(batch: IndexedBatch, bytes?: Buffer): void {
    const { baseOffset, lastOffset, previousEnd, sizeBytes, leaderEpoch, crc, maxTimestamp } = batch;
    const { attributes, producerId, producerEpoch, baseSequence, marker } = batch;
    const position = this.#endPosition;
    // Field by field, not spread: this runs once a batch, and all entries have one shape.
    this.#entries.push({
      baseOffset,
      lastOffset,
      previousEnd,
      sizeBytes,
      leaderEpoch,
      crc,
      maxTimestamp,
      attributes,
      producerId,
      producerEpoch,
      baseSequence,
      marker,
      position,
      bytes,
    });
    this.#endPosition += sizeBytes;
    if (bytes === undefined) {
      this.#newestFrom = this.#entries.length;
      return;
    }
    this.#newestBytes += batch.sizeBytes;
    const last = this.#entries.length - 1;
    while (this.#newestBytes > this.#newestMaxBytes && this.#newestFrom < last) this.#forgetOldest();
  }

  #forgetOldest(): void {
    const oldest = this.#entries[this.#newestFrom++]!;
    oldest.bytes = undefined;
    this.#newestBytes -= oldest.sizeBytes;
  }

  /** Place of the first batch whose last offset is at or above `offset`; `length` if there is none. */
  find(offset: Offset): number {
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#entries[middle]!.lastOffset < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Bytes of the batches at places [from, to). */
  sizeBetween(from: number, to: number): number {
    return to <= from ? 0 : this.#positionAt(to) - this.#positionAt(from);
  }

  #positionAt(place: number): number {
    return this.#entries[place]?.position ?? this.#endPosition;
  }

  /** Puts other batches in the place of these, by base offset; undefined: nothing. `written` once the store has them. */
  rewrite(changes: ReadonlyMap<Offset, { readonly batch: IndexedBatch; readonly bytes: Buffer } | undefined>): void {
    if (changes.size === 0) return;
    const entries = this.#entries;
    let [kept, position, removed] = [0, entries[0]?.position ?? this.#endPosition, 0];
    entries.forEach((entry, place) => {
      let next = entry;
      if (changes.has(entry.baseOffset)) {
        const change = changes.get(entry.baseOffset);
        if (entry.bytes !== undefined) this.#newestBytes -= entry.sizeBytes;
        if (change === undefined) {
          if (place < this.#newestFrom) removed++;
          return;
        }
        const bytes = entry.bytes === undefined ? undefined : change.bytes;
        this.#newestBytes += bytes?.length ?? 0;
        this.#rewritten.set(entry.baseOffset, change.bytes);
        next = { ...entry, ...change.batch, position, bytes };
      }
      next.position = position;
      position += next.sizeBytes;
      entries[kept++] = next;
    });
    entries.length = kept;
    this.#newestFrom -= removed;
    this.#endPosition = position;
  }

  /** The store has what was rewritten. */
  written(baseOffsets: Iterable<Offset>): void {
    for (const baseOffset of baseOffsets) this.#rewritten.delete(baseOffset);
  }

  /** Removes all batches from `place` on and answers them, in offset order. */
  cut(place: number): readonly IndexedBatch[] {
    const removed = this.#entries.splice(place);
    for (const entry of removed) {
      if (entry.bytes !== undefined) this.#newestBytes -= entry.sizeBytes;
    }
    this.#newestFrom = Math.min(this.#newestFrom, place);
    this.#endPosition = removed[0]?.position ?? this.#endPosition;
    return removed;
  }

  /** Removes all batches before `place` and answers them, in offset order. */
  dropFront(place: number): readonly IndexedBatch[] {
    const removed = this.#entries.splice(0, place);
    for (const entry of removed) {
      if (entry.bytes !== undefined) this.#newestBytes -= entry.sizeBytes;
    }
    this.#newestFrom = Math.max(0, this.#newestFrom - place);
    return removed;
  }
}
