// Gives entries of a run their place and time, and hands them on at once. Keeps none itself: what survives a kill is what
// `sink` has written.
import type { HistoryEntry, NewEntry } from './operations.ts';

export class HistoryRecorder {
  readonly #now: () => number;
  readonly #sink: (entry: HistoryEntry) => void;
  #next: number;

  /**
   * @param now Time since the run began, ms.
   * @param sink Takes each entry before anything it caused can happen.
   * @param first Index of the first entry, for a history that goes on.
   */
  constructor(now: () => number, sink: (entry: HistoryEntry) => void, first = 0) {
    this.#now = now;
    this.#sink = sink;
    this.#next = first;
  }

  /** Records an entry, and answers it as it stands in the history. */
  record(entry: NewEntry): HistoryEntry {
    const placed = { index: this.#next++, time: this.#now(), ...entry } as HistoryEntry;
    this.#sink(placed);
    return placed;
  }
}
