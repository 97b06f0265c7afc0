// What one replica's log says of producers and transactions, folded from its batches anew and without the cores: who is open,
// what markers closed, which epochs stand there (txn T-106, T-125, T-139). Tells what must not stand in a log, and judges no
// ends.
import type { Offset } from '../../../base/units.ts';
import type { BatchMark, MarkerMark } from '../../../trace/events.ts';

/** A transaction without a marker. */
interface OpenTransaction {
  readonly firstOffset: Offset;
  readonly epoch: number;
}

/** A transaction with data, and the first marker behind it: the effective one (txn T-89). */
export interface ClosedTransaction {
  readonly producerId: number;
  readonly firstOffset: Offset;
  readonly markerOffset: Offset;
  readonly outcome: 'commit' | 'abort';
  /** Smallest first offset of what was still open, or the offset behind the marker (txn T-139). */
  readonly lastStableOffset: Offset;
}

/** Something that no log may hold. */
export interface Misfit {
  readonly invariant: string;
  readonly producerId: number;
  /** Where it stands. */
  readonly offset: Offset;
  readonly detail: string;
}

interface Epochs {
  epoch: number;
  /** -1 before the first marker. */
  coordinatorEpoch: number;
}

export class TxnLog {
  readonly #open = new Map<number, OpenTransaction>();
  readonly #epochs = new Map<number, Epochs>();
  /** In the order of their markers. */
  readonly closed: ClosedTransaction[] = [];

  /** Takes the next batch of the log. */
  add(batch: BatchMark): Misfit | undefined {
    if (batch.marker !== undefined) return this.#mark(batch.marker, batch.baseOffset);
    if (batch.producer === undefined) return undefined;
    const [producerId, epoch] = batch.producer;
    const fallen = this.#raise(producerId, epoch, batch.baseOffset);
    const open = this.#open.get(producerId);
    if (batch.transactional !== true) return open === undefined ? fallen : plainInside(batch, open);
    if (open !== undefined) return open.epoch === epoch ? fallen : twoInOne(batch, open);
    this.#open.set(producerId, { firstOffset: batch.baseOffset, epoch });
    return fallen;
  }

  /** Smallest first offset of what is open, or closed by a marker that is not below this high watermark (txn T-126). */
  firstUnstable(highWatermark: Offset): Offset | undefined {
    let first = this.#firstOpen();
    for (let i = this.closed.length - 1; i >= 0; i--) {
      const { markerOffset, firstOffset } = this.closed[i]!;
      if (markerOffset < highWatermark) break;
      first = Math.min(first, firstOffset);
    }
    return first === Infinity ? undefined : first;
  }

  #firstOpen(): Offset {
    let first = Infinity;
    for (const { firstOffset } of this.#open.values()) first = Math.min(first, firstOffset);
    return first;
  }

  #mark({ producerId, producerEpoch, outcome, coordinatorEpoch }: MarkerMark, offset: Offset): Misfit | undefined {
    const fallen = this.#raise(producerId, producerEpoch, offset);
    const epochs = this.#epochs.get(producerId)!;
    const before = epochs.coordinatorEpoch;
    epochs.coordinatorEpoch = Math.max(before, coordinatorEpoch);
    const open = this.#open.get(producerId);
    if (open !== undefined) {
      this.#open.delete(producerId);
      const lastStableOffset = Math.min(this.#firstOpen(), offset + 1);
      const { firstOffset } = open;
      this.closed.push({ producerId, firstOffset, markerOffset: offset, outcome, lastStableOffset });
    }
    if (coordinatorEpoch >= before) return fallen;
    const what = `a marker of producer ${producerId} by coordinator epoch ${coordinatorEpoch}`;
    const detail = `${what} stands at ${offset}, behind one by ${before}`;
    return { invariant: 'txn INV-14', producerId, offset, detail };
  }

  #raise(producerId: number, epoch: number, offset: Offset): Misfit | undefined {
    const known = this.#epochs.get(producerId);
    if (known === undefined) this.#epochs.set(producerId, { epoch, coordinatorEpoch: -1 });
    else if (epoch >= known.epoch) known.epoch = epoch;
    else {
      const detail = `epoch ${epoch} of producer ${producerId} stands at ${offset}, behind epoch ${known.epoch}`;
      return { invariant: 'txn INV-5', producerId, offset, detail };
    }
    return undefined;
  }
}

function plainInside({ producer, baseOffset }: BatchMark, open: OpenTransaction): Misfit {
  const producerId = producer![0];
  const detail = `a plain batch of producer ${producerId} stands at ${baseOffset}, inside its transaction from ${open.firstOffset} on`;
  return { invariant: 'txn INV-10', producerId, offset: baseOffset, detail };
}

function twoInOne({ producer, baseOffset }: BatchMark, open: OpenTransaction): Misfit {
  const [producerId, epoch] = producer!;
  const detail =
    `epoch ${epoch} of producer ${producerId} begins at ${baseOffset}, and no marker ends its transaction of epoch ` +
    `${open.epoch} from ${open.firstOffset} on`;
  return { invariant: 'txn INV-10', producerId, offset: baseOffset, detail };
}
