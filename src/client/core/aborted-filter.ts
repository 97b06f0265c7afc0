// What a read_committed reader leaves out: data of transactions that were aborted (txn T-143). One filter for each response
// of a partition, fed with its batches in offset order. It never waits for a marker: the last stable offset bounds the read.
import type { Offset } from '../../base/units.ts';
import { isControl, isTransactional } from '../../log/attributes.ts';
import { NO_PRODUCER_ID } from '../../log/producer-entry.ts';

/** An aborted transaction that overlaps the response, as the broker lists it. */
export interface Aborted {
  readonly producerId: number;
  readonly firstOffset: Offset;
}

/** What is looked at in a batch. */
export interface FilteredBatch {
  readonly attributes: number;
  readonly producerId: number;
  readonly lastOffset: Offset;
}

export class AbortedFilter {
  /** By first offset. */
  readonly #queue: Aborted[];
  /** Producers whose open transaction, as of the batch at hand, was aborted. */
  readonly #aborted = new Set<number>();

  constructor(aborted: readonly Aborted[]) {
    this.#queue = [...aborted].sort((a, b) => a.firstOffset - b.firstOffset);
  }

  /** Whether the records of the next batch are left out. `endsAborted`: it is an ABORT marker. A COMMIT changes nothing. */
  leavesOut({ attributes, producerId, lastOffset }: FilteredBatch, endsAborted: boolean): boolean {
    if (producerId === NO_PRODUCER_ID) return false;
    while (this.#queue[0] !== undefined && this.#queue[0].firstOffset <= lastOffset) {
      this.#aborted.add(this.#queue.shift()!.producerId);
    }
    if (endsAborted) this.#aborted.delete(producerId);
    return !isControl(attributes) && isTransactional(attributes) && this.#aborted.has(producerId);
  }
}
