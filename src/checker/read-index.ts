// Who read what, for looking up. Built when first asked: a history without anything suspicious never is.
import type { Offset } from '../base/units.ts';
import { passedByPolls, type Pass, type PassMap } from './passes.ts';
import type { Poll } from './readings.ts';

/** Indexes of the first and last poll that gave a value at an offset. */
export interface ReadBy {
  readonly first: number;
  last: number;
}

export class ReadIndex {
  readonly #polls: readonly Poll[];
  #values: Set<string> | undefined;
  #at: Map<string, ReadBy> | undefined;
  #passed: Map<string, PassMap> | undefined;

  constructor(polls: readonly Poll[]) {
    this.#polls = polls;
  }

  /** Whether anyone read a value of a partition, at whatever offset. */
  wasRead(partition: string, value: string): boolean {
    if (this.#values === undefined) {
      this.#values = new Set();
      for (const poll of this.#polls) {
        for (const record of poll.records) this.#values.add(`${poll.partition} ${record.value}`);
      }
    }
    return this.#values.has(`${partition} ${value}`);
  }

  /** Where a value of a partition was read first, and by which poll; walks all of them. */
  firstRead(partition: string, value: string): { readonly offset: Offset; readonly index: number } | undefined {
    if (!this.wasRead(partition, value)) return undefined;
    for (const { partition: of, records, index } of this.#polls) {
      const record = of === partition ? records.find((one) => one.value === value) : undefined;
      if (record !== undefined) return { offset: record.offset, index };
    }
    return undefined;
  }

  /** The polls that gave this value at this offset. */
  readAt(partition: string, offset: Offset, value: string): ReadBy | undefined {
    if (this.#at === undefined) {
      this.#at = new Map();
      for (const poll of this.#polls) {
        for (const record of poll.records) {
          const key = `${poll.partition} ${record.offset} ${record.value}`;
          const known = this.#at.get(key);
          if (known === undefined) this.#at.set(key, { first: poll.index, last: poll.index });
          else known.last = poll.index;
        }
      }
    }
    return this.#at.get(`${partition} ${offset} ${value}`);
  }

  /** A poll that passed over an offset, if any did. */
  passedOver(partition: string, offset: Offset): Pass | undefined {
    if (this.#passed === undefined) {
      const polls = new Map<string, Poll[]>();
      for (const poll of this.#polls) {
        const same = polls.get(poll.partition);
        if (same === undefined) polls.set(poll.partition, [poll]);
        else same.push(poll);
      }
      this.#passed = new Map([...polls].map(([name, of]) => [name, passedByPolls(of)]));
    }
    return this.#passed.get(partition)?.at(offset);
  }
}
