// The transactional content of every replica's log, kept as the logs grow and read anew where they were cut or opened. One
// for all invariants, like the view that it belongs to.
import type { BatchMark, TraceEvent } from '../../../trace/events.ts';
import type { ReplicaView } from './replica-view.ts';
import { TxnLog, type Misfit } from './txn-log.ts';

interface Kept {
  readonly log: TxnLog;
  /** The array that was read, and how far. A log that was opened again has another. */
  readonly of: readonly BatchMark[];
  read: number;
  readonly misfits: Misfit[];
}

export class TxnLogs {
  /** Events that are more than a log that grows: the others need not be folded. */
  static readonly CONCERNS: ReadonlySet<TraceEvent['type']> = new Set([
    'producers.expired',
    'log.truncated',
    'log.start',
  ] as const);
  readonly #kept = new Map<ReplicaView, Kept>();
  readonly #expired = new Set<number>();

  /** The content of a replica's log. */
  of(replica: ReplicaView): TxnLog {
    return this.#read(replica).log;
  }

  /** What must not stand in a replica's log. Of producers whose state expired anywhere nothing can be said (txn T-109). */
  misfits(replica: ReplicaView): Misfit[] {
    return this.#read(replica).misfits.filter(({ producerId }) => !this.#expired.has(producerId));
  }

  /** The event was folded into the view; `replica` is whom it is about. */
  fold(event: TraceEvent, replica: ReplicaView | undefined): void {
    if (event.type === 'producers.expired') for (const producerId of event.producerIds) this.#expired.add(producerId);
    if (replica === undefined) return;
    // A log that was cut may have grown to the same length since.
    if (event.type === 'log.truncated' || event.type === 'log.start') this.#kept.delete(replica);
  }

  #read(replica: ReplicaView): Kept {
    const { batches } = replica;
    let kept = this.#kept.get(replica);
    if (kept === undefined || kept.of !== batches) {
      kept = { log: new TxnLog(), of: batches, read: 0, misfits: [] };
      this.#kept.set(replica, kept);
    }
    for (; kept.read < batches.length; kept.read++) {
      const misfit = kept.log.add(batches[kept.read]!);
      if (misfit !== undefined) kept.misfits.push(misfit);
    }
    return kept;
  }
}
