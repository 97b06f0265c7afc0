// The aborted-transaction index of one log (txn T-138 to T-142): one entry for each ABORT marker that closed a transaction
// with data, in the order of the markers. Kafka has one file a segment; here it is one range of keys a log.
import type { Offset } from '../base/units.ts';
import type { AbortedEntry } from './transactions-api.ts';

const VERSION = 0;
const ENTRY_BYTES = 34;

/** An entry as Kafka writes it (txn T-138). */
export function encodeAborted(entry: AbortedEntry): Buffer {
  const bytes = Buffer.alloc(ENTRY_BYTES);
  bytes.writeInt16BE(VERSION, 0);
  bytes.writeBigInt64BE(BigInt(entry.producerId), 2);
  bytes.writeBigInt64BE(BigInt(entry.firstOffset), 10);
  bytes.writeBigInt64BE(BigInt(entry.lastOffset), 18);
  bytes.writeBigInt64BE(BigInt(entry.lastStableOffset), 26);
  return bytes;
}

/** Undefined if it is none. */
export function decodeAborted(bytes: Buffer): AbortedEntry | undefined {
  if (bytes.length !== ENTRY_BYTES || bytes.readInt16BE(0) !== VERSION) return undefined;
  return {
    producerId: Number(bytes.readBigInt64BE(2)),
    firstOffset: Number(bytes.readBigInt64BE(10)),
    lastOffset: Number(bytes.readBigInt64BE(18)),
    lastStableOffset: Number(bytes.readBigInt64BE(26)),
  };
}

export class AbortedIndex {
  /** By last offset, strictly increasing. */
  #entries: AbortedEntry[];

  /** `entries` is kept. */
  constructor(entries: AbortedEntry[] = []) {
    this.#entries = entries;
  }

  get entries(): readonly AbortedEntry[] {
    return this.#entries;
  }

  push(entry: AbortedEntry): void {
    this.#entries.push(entry);
  }

  /**
   * Those that overlap [from, upTo), and perhaps more (txn T-140). The search ends for good at an entry whose last stable
   * offset is not below `upTo`: whatever was open then, or came later, began behind what is asked for.
   */
  overlapping(from: Offset, upTo: Offset): readonly AbortedEntry[] {
    const found: AbortedEntry[] = [];
    for (let i = this.#firstAt(from); i < this.#entries.length; i++) {
      const entry = this.#entries[i]!;
      if (entry.firstOffset < upTo) found.push(entry);
      if (entry.lastStableOffset >= upTo) break;
    }
    return found;
  }

  /** Removes the entries of markers at or above `offset` and answers them (txn T-142). */
  cut(offset: Offset): readonly AbortedEntry[] {
    return this.#entries.splice(this.#firstAt(offset));
  }

  /** Removes the entries of markers below `offset` and answers them. */
  dropFront(offset: Offset): readonly AbortedEntry[] {
    return this.#entries.splice(0, this.#firstAt(offset));
  }

  /** Removes the entries with these last offsets. */
  drop(lastOffsets: ReadonlySet<Offset>): void {
    this.#entries = this.#entries.filter(({ lastOffset }) => !lastOffsets.has(lastOffset));
  }

  #firstAt(offset: Offset): number {
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#entries[middle]!.lastOffset < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
