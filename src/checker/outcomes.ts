// What the markers of a final log say of its records: each record of a transaction is decided by the first marker of its
// producer id behind it (txn T-89); later ones have no effect.
import type { Offset } from '../base/units.ts';
import type { LogRecord, ReplicaObservation } from '../history/operations.ts';
import type { FinalLog } from './final-log.ts';
import { firstFrom } from './search.ts';

/** plain: of no transaction. open: of one that no marker ends. */
export type Kind = 'plain' | 'commit' | 'abort' | 'open';

/** A record and what became of it. */
export interface Place {
  readonly offset: Offset;
  readonly value: string | undefined;
  readonly kind: Kind;
  readonly producerId: number | undefined;
  readonly producerEpoch: number | undefined;
}

/** So many places are looked at before one is searched for. */
const NEAR = 16;

/** By the replica that holds most: where replicas agree, any is as good. */
export class Outcomes {
  readonly #final: FinalLog;
  /** Index of the entry that shows it; undefined if nobody observed the partition. */
  readonly shownBy: number | undefined;
  #places: readonly Place[] | undefined;
  #byValue: Map<string, Place[]> | undefined;
  /** Where `at` found its last answer. */
  #last = 0;

  constructor(final: FinalLog) {
    this.#final = final;
    this.shownBy = longest(final)?.index;
  }

  /** Whether the log is known well enough to say what is not in it. */
  get known(): boolean {
    return this.#final.provesAbsence;
  }

  /** All records, without markers, in offset order. */
  get places(): readonly Place[] {
    return (this.#places ??= decide(longest(this.#final)?.records ?? []));
  }

  at(offset: Offset): Place | undefined {
    const { places } = this;
    let at = this.#last;
    // Readers ask in order: nearly always it is one of the next few.
    const near = Math.min(at + NEAR, places.length);
    if ((places[at]?.offset ?? Infinity) > offset) at = near;
    while (at < near && places[at]!.offset < offset) at += 1;
    if (at === near) at = firstFrom(places, offset, (one) => one.offset);
    this.#last = at;
    const place = places[at];
    return place?.offset === offset ? place : undefined;
  }

  /** Where a value stands. */
  of(value: string): readonly Place[] {
    if (this.#byValue === undefined) {
      this.#byValue = new Map();
      for (const place of this.places) {
        if (place.value === undefined) continue;
        const same = this.#byValue.get(place.value);
        if (same === undefined) this.#byValue.set(place.value, [place]);
        else same.push(place);
      }
    }
    return this.#byValue.get(value) ?? [];
  }
}

/** Whether a read_committed reader is to be given a record. */
export function isVisible({ kind }: Place): boolean {
  return kind === 'plain' || kind === 'commit';
}

function longest({ replicas }: FinalLog): ReplicaObservation | undefined {
  let best = replicas[0];
  for (const replica of replicas) if (replica.logEndOffset > best!.logEndOffset) best = replica;
  return best;
}

function decide(records: readonly LogRecord[]): Place[] {
  const places: { -readonly [K in keyof Place]: Place[K] }[] = [];
  const open = new Map<number, (typeof places)[number][]>();
  for (const { offset, value, producerId, producerEpoch, transactional, marker } of records) {
    if (marker !== undefined) {
      for (const place of open.get(producerId ?? -1) ?? []) place.kind = marker;
      open.delete(producerId ?? -1);
      continue;
    }
    const place = { offset, value, producerId, producerEpoch, kind: 'plain' as Kind };
    places.push(place);
    if (transactional !== true) continue;
    place.kind = 'open';
    const others = open.get(producerId ?? -1);
    if (others === undefined) open.set(producerId ?? -1, [place]);
    else others.push(place);
  }
  return places;
}
