// What became of the records of one transaction, by the markers of final logs.
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
  for (const { partition, value, index, sent } of txn.sends) {
    if (sent.transactions?.length !== 1 || !view.finalLog(partition).complete) continue;
    const places = view.outcomes(partition).of(value);
    if (places.length === 1) placed.push({ partition, value, sent: index, place: places[0]! });
  }
  return placed;
}

/** How its records were decided: by the first of them that was; undefined if none is known to be. */
export function dataOutcome(view: HistoryView, txn: Transaction): Exclude<Kind, 'plain' | 'open'> | undefined {
  for (const { place } of placesOf(view, txn)) {
    if (place.kind === 'commit' || place.kind === 'abort') return place.kind;
  }
  return undefined;
}
