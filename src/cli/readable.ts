// How many records a group's next polls will bring (ux: READABLE): what a lag counts, less what is never delivered. Markers
// take offsets, aborted records too. Pure; the caller brings the batches.
import type { Offset } from '../base/units.ts';
import { isControl, isTransactional } from '../log/attributes.ts';
import { decodeMarker } from '../log/control-batch.ts';
import { batchHeaders, type BatchHeader } from '../protocol/batch-header.ts';

export interface ReadRange {
  /** The next offset to be read. */
  readonly from: Offset;
  /** What the reader may see ends here: its last stable offset or its high watermark. */
  readonly to: Offset;
  /** Records of transactions count if they were committed. */
  readonly committedOnly: boolean;
}

export class ReadableCount {
  readonly #range: ReadRange;
  #count = 0;
  /** Records of each producer's transaction whose marker was not seen yet. */
  readonly #undecided = new Map<number, number>();
  #done = false;

  constructor(range: ReadRange) {
    this.#range = range;
    this.#done = range.from >= range.to;
  }

  /** Nothing that follows changes the count. A marker may stand behind what its transaction wrote below the end. */
  get done(): boolean {
    return this.#done;
  }

  get from(): Offset {
    return this.#range.from;
  }

  get count(): number {
    return this.#count;
  }

  /** Whole batches, in offset order. */
  take(bytes: Buffer): void {
    for (const { at, ...header } of batchHeaders(bytes)) {
      if (header.baseOffset >= this.#range.to && this.#undecided.size === 0) this.#done = true;
      if (this.#done) return;
      if (isControl(header.attributes)) this.#end(header.producerId, decodeMarker(bytes, at)?.type === 'commit');
      else if (header.baseOffset < this.#range.to) this.#add(header);
    }
  }

  #add(header: BatchHeader): void {
    const { from, committedOnly } = this.#range;
    if (header.lastOffset < from) return;
    const records = Math.min(header.recordCount, header.lastOffset - Math.max(from, header.baseOffset) + 1);
    if (!committedOnly || !isTransactional(header.attributes)) this.#count += records;
    else this.#undecided.set(header.producerId, (this.#undecided.get(header.producerId) ?? 0) + records);
  }

  #end(producerId: number, committed: boolean): void {
    if (committed) this.#count += this.#undecided.get(producerId) ?? 0;
    this.#undecided.delete(producerId);
  }
}
