// What a program of the user's own made its outputs from, which the wire does not tell: its scenario says that it copies values
// from one topic to another, and each input record that it was given is known by its value. Equal inputs are all named.
import { parsePartition } from '../../base/units.ts';
import type { NewEntry } from '../../history/operations.ts';

/** As the scenario says. */
export interface CopiedTopics {
  readonly from: string;
  readonly to: string;
}

export class Copies {
  readonly #topics: CopiedTopics;
  /** Of each value that the program was given, where it stands: `partition@offset`. */
  readonly #places = new Map<string, Set<string>>();

  constructor(topics: CopiedTopics) {
    this.#topics = topics;
  }

  /** An entry of the program as it was recorded; a send to the one topic comes back with the records of the other it repeats. */
  take(entry: NewEntry): NewEntry {
    if (entry.f === 'poll' && topicOf(entry.partition) === this.#topics.from) this.#given(entry);
    if (entry.f !== 'send' || topicOf(entry.partition) !== this.#topics.to) return entry;
    const places = this.#places.get(entry.value);
    return places === undefined ? entry : { ...entry, from: [...places] };
  }

  #given({ partition, records = [] }: Extract<NewEntry, { readonly f: 'poll' }>): void {
    for (const { offset, value } of records) {
      const places = this.#places.get(value) ?? new Set();
      this.#places.set(value, places.add(`${partition}@${offset}`));
    }
  }
}

function topicOf(partition: string): string | undefined {
  return parsePartition(partition)?.topic;
}
