// Which batches of a log a cleaning pass keeps, empties or drops (txn T-114): the latest value of each key, nothing of aborted
// transactions, the last word of each producer, markers and tombstones until the delete horizon. Batches are shown in offset
// order, first to `learn`, then all of them to `judge`. Nothing is written here.
import type { Offset } from '../base/units.ts';
import { isCompressed, isControl, isTransactional } from './attributes.ts';
import type { BatchIndex, IndexedBatch } from './batch-index.ts';
import type { ProducerEntry } from './producer-entry.ts';
import { emptied, retainRecords } from './retain-records.ts';
import type { Candidate } from './retain-records.ts';
import type { AbortedEntry } from './transactions-api.ts';
import { RecordCursor } from './record-cursor.ts';
import { BATCH_HEADER_BYTES } from '../protocol/batch-header.ts';

/** What becomes of a batch: it stays as it is, it goes, or it has other bytes. */
export type Verdict = 'keep' | 'drop' | Buffer;

export interface CleaningInput {
  readonly producers: ReadonlyMap<number, ProducerEntry>;
  readonly aborted: readonly AbortedEntry[];
  readonly index: BatchIndex;
  /** Markers and tombstones below may go. */
  readonly deleteHorizon: Offset;
  /** False: a marker goes as if it were data that nobody needs (compact.keepMarkers, BUG-65). */
  readonly keepMarkers: boolean;
}

export class CleaningPlan {
  readonly #input: CleaningInput;
  readonly #aborted = new Map<number, AbortedEntry[]>();
  /** Offset of the last marker of each producer. */
  readonly #lastMarkers = new Map<number, Offset>();
  /** Last offset of each key, as latin1. */
  readonly #latest = new Map<string, Offset>();
  /** Producers of whose transaction, the one that the next marker closes, a batch stays. */
  readonly #remaining = new Set<number>();

  constructor(input: CleaningInput) {
    this.#input = input;
    for (const entry of input.aborted) {
      const known = this.#aborted.get(entry.producerId);
      if (known === undefined) this.#aborted.set(entry.producerId, [entry]);
      else known.push(entry);
    }
    for (const { marker, lastOffset } of input.index.entries()) {
      if (marker !== undefined) this.#lastMarkers.set(marker.producerId, lastOffset);
    }
  }

  /** Keys that are known. */
  get keys(): number {
    return this.#latest.size;
  }

  /** Takes in the keys of a new batch. */
  learn(batch: IndexedBatch, bytes: Buffer): void {
    if (isControl(batch.attributes) || isCompressed(batch.attributes) || this.#isAborted(batch)) return;
    const cursor = new RecordCursor(bytes, BATCH_HEADER_BYTES, bytes.length);
    while (cursor.next()) {
      const { key, offsetDelta } = cursor;
      if (key.length >= 0) this.#latest.set(keyText(bytes, key), batch.baseOffset + offsetDelta);
    }
  }

  judge(batch: IndexedBatch, bytes: () => Buffer): Verdict {
    if (isControl(batch.attributes)) return this.#judgeMarker(batch);
    const verdict = this.#judgeData(batch, bytes);
    if (verdict !== 'drop' && isTransactional(batch.attributes)) this.#remaining.add(batch.producerId);
    return verdict;
  }

  #judgeMarker({ marker, lastOffset }: IndexedBatch): Verdict {
    if (marker === undefined) return 'keep';
    if (!this.#input.keepMarkers) return 'drop';
    const { producerId } = marker;
    const remains = this.#remaining.delete(producerId);
    const isLastWord = this.#input.producers.has(producerId) && this.#lastMarkers.get(producerId) === lastOffset;
    return remains || isLastWord || lastOffset >= this.#input.deleteHorizon ? 'keep' : 'drop';
  }

  #judgeData(batch: IndexedBatch, bytes: () => Buffer): Verdict {
    if (this.#isAborted(batch)) return this.#gone(batch, bytes);
    if (isCompressed(batch.attributes)) return 'keep';
    let some = false;
    const original = bytes();
    const rewritten = retainRecords(original, (record) => {
      const kept = this.#keeps(original, record);
      some ||= kept;
      return kept;
    });
    if (rewritten === undefined) return 'keep';
    return some ? rewritten : this.#gone(batch, () => original);
  }

  #gone(batch: IndexedBatch, bytes: () => Buffer): Verdict {
    const newest = this.#input.producers.get(batch.producerId)?.batches.at(-1);
    if (batch.producerId < 0 || newest?.lastOffset !== batch.lastOffset) return 'drop';
    return batch.sizeBytes === BATCH_HEADER_BYTES ? 'keep' : emptied(bytes());
  }

  #keeps(bytes: Buffer, { offset, key, value }: Candidate): boolean {
    if (key.length < 0) return false;
    if (offset < (this.#latest.get(keyText(bytes, key)) ?? -1)) return false;
    return value.length >= 0 || offset >= this.#input.deleteHorizon;
  }

  #isAborted({ producerId, attributes, baseOffset }: IndexedBatch): boolean {
    if (!isTransactional(attributes)) return false;
    const entries = this.#aborted.get(producerId) ?? [];
    return entries.some(({ firstOffset, lastOffset }) => firstOffset <= baseOffset && baseOffset < lastOffset);
  }
}

function keyText(bytes: Buffer, { at, length }: { readonly at: number; readonly length: number }): string {
  return bytes.toString('latin1', at, at + length);
}
