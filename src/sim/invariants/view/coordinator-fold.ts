// The transaction coordinators as the trace tells them: which broker serves which shard at which epoch, what is in force there
// for each transactional id, and every record that was ever appended. A fold for the invariants of coordinators; judges nothing.
import type { LeaderEpoch, NodeId, Offset } from '../../../base/units.ts';
import type { Stamped, TraceEvent, TransactionMark } from '../../../trace/events.ts';

/** One broker's service of a shard at one epoch. */
interface Incarnation {
  readonly node: NodeId;
  /** By transactional id. */
  readonly inForce: Map<string, TransactionMark>;
}

/** A record of a transactional id; null: a tombstone. */
export interface RecordMark {
  readonly partition: number;
  readonly coordinatorEpoch: LeaderEpoch;
  readonly offset: Offset;
  readonly record: TransactionMark | null;
}

export class CoordinatorFold {
  /** By partition and epoch. */
  readonly #incarnations = new Map<string, Incarnation>();
  /** Appended by anybody, whether it survived or not, by transactional id. */
  readonly #appended = new Map<string, RecordMark[]>();
  /** The record in force that stands last in the log, by transactional id. */
  readonly #latest = new Map<string, RecordMark>();
  /** What was in force for the id of the record that was put in force last, before it was. */
  #before: TransactionMark | undefined;

  get before(): TransactionMark | undefined {
    return this.#before;
  }

  appended(transactionalId: string): readonly RecordMark[] {
    return this.#appended.get(transactionalId) ?? [];
  }

  /** What is in force of each id, by the log. */
  get latest(): ReadonlyMap<string, RecordMark> {
    return this.#latest;
  }

  fold({ node, event }: Stamped): void {
    if (event.type === 'txn.loaded') {
      const { partition, coordinatorEpoch, transactions } = event;
      const inForce = new Map(transactions.map((mark) => [mark.transactionalId, mark]));
      this.#incarnations.set(`${partition} ${coordinatorEpoch} ${node}`, { node, inForce });
    } else if (event.type === 'txn.record') this.#record(node, event);
  }

  #record(node: NodeId, event: Extract<TraceEvent, { type: 'txn.record' }>): void {
    const { partition, coordinatorEpoch, phase, offset, transactionalId, record } = event;
    const mark = { partition, coordinatorEpoch, offset, record };
    if (phase === 'appended') {
      const known = this.#appended.get(transactionalId);
      if (known === undefined) this.#appended.set(transactionalId, [mark]);
      else known.push(mark);
      return;
    }
    const inForce = this.#incarnations.get(`${partition} ${coordinatorEpoch} ${node}`)?.inForce;
    this.#before = inForce?.get(transactionalId);
    if (record === null) inForce?.delete(transactionalId);
    else inForce?.set(transactionalId, record);
    if (offset >= (this.#latest.get(transactionalId)?.offset ?? -1)) this.#latest.set(transactionalId, mark);
  }
}

/** Equal in everything that is told of them. */
export function sameMark(a: TransactionMark | null, b: TransactionMark | null): boolean {
  if (a === null || b === null) return a === b;
  return (
    a.transactionalId === b.transactionalId &&
    a.state === b.state &&
    a.producerId === b.producerId &&
    a.producerEpoch === b.producerEpoch &&
    a.partitions.join() === b.partitions.join()
  );
}

/** "PrepareCommit of producer 7 in epoch 2", for reports. */
export function describeMark(mark: TransactionMark | null | undefined): string {
  if (mark === undefined || mark === null) return 'nothing';
  return `${mark.state} of producer ${mark.producerId} in epoch ${mark.producerEpoch}`;
}
