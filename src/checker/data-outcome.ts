// What became of the records of one transaction, by the markers of final logs.
import type { TrackedSend } from './arrange.ts';
import type { Kind, Place } from './outcomes.ts';
import type { Transaction } from './transactions.ts';
import type { HistoryView } from './view.ts';

/** A record of a transaction in a final log. */
export interface Placed {
  readonly partition: string;
  readonly value: string;
  /** Index of its send. */
  readonly sent: number;
  readonly place: Place;
}

/**
 * Its records in final logs that are known. A value that several transactions sent, or that stands twice, is left out:
 * nobody can tell whose it is.
 */
export function placesOf(view: HistoryView, txn: Transaction): Placed[] {
  const placed: Placed[] = [];
  for (const send of txn.sends) {
    const place = placeOf(view, send);
    if (place !== undefined) placed.push(placedAt(send, place));
  }
  return placed;
}

/** The first of them that was decided so. */
export function firstDecided(view: HistoryView, txn: Transaction, kind: Kind): Placed | undefined {
  for (const send of txn.sends) {
    const place = placeOf(view, send);
    if (place?.kind === kind) return placedAt(send, place);
  }
  return undefined;
}

function placeOf(view: HistoryView, { partition, value, sent }: TrackedSend): Place | undefined {
  if (sent.transactions?.length !== 1 || !view.finalLog(partition).complete) return undefined;
  const places = view.outcomes(partition).of(value);
  return places.length === 1 ? places[0] : undefined;
}

function placedAt({ partition, value, index }: TrackedSend, place: Place): Placed {
  return { partition, value, sent: index, place };
}

/** How its records were decided: by the first of them that was; undefined if none is known to be. */
export function dataOutcome(view: HistoryView, txn: Transaction): Exclude<Kind, 'plain' | 'open'> | undefined {
  for (const send of txn.sends) {
    const kind = placeOf(view, send)?.kind;
    if (kind === 'commit' || kind === 'abort') return kind;
  }
  return undefined;
}
