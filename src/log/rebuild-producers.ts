// Finds out what a log knows of its producers from the log itself (txn T-112, wire W-99): the newest snapshot that is whole,
// and the batches behind it. After a load, and after a truncation.
import type { EpochMs, Offset } from '../base/units.ts';
import type { BatchIndex } from './batch-index.ts';
import { isExpired } from './producer-entry.ts';
import type { ProducerEntry } from './producer-entry.ts';
import { decodeSnapshot } from './producer-snapshot.ts';
import { ProducerStates } from './producer-states.ts';

/** A log that was just read or cut. */
export interface ProducerSource {
  /** What is left of it, all counted. */
  readonly index: BatchIndex;
  /** Offsets of the snapshots of what is left, increasing. */
  readonly snapshots: readonly Offset[];
  snapshotAt(offset: Offset): Buffer | undefined;
  /** The bytes of a batch, for markers. */
  bytesAt(place: number): Buffer;
  /** Producers silent for longer are not taken from a snapshot. */
  readonly expiration: { readonly now: EpochMs; readonly expirationMs: number };
}

export interface RebuiltProducers {
  readonly entries: Map<number, ProducerEntry>;
  /** Snapshots that may stay: damaged ones newer than the one used are of no use. */
  readonly snapshots: readonly Offset[];
}

/** The producers at the end of a log. */
export function rebuildProducers(source: ProducerSource): RebuiltProducers {
  const { index, expiration } = source;
  const snapshots = [...source.snapshots];
  let entries = new Map<number, ProducerEntry>();
  for (let newest = snapshots.at(-1); newest !== undefined; newest = snapshots.at(-1)) {
    const found = decodeSnapshot(source.snapshotAt(newest) ?? NOTHING);
    if (found !== undefined) {
      const { now, expirationMs } = expiration;
      entries = new Map([...found].filter(([, entry]) => !isExpired(entry, now, expirationMs)));
      break;
    }
    snapshots.pop();
  }
  const states = new ProducerStates(entries);
  for (let place = index.find(snapshots.at(-1) ?? 0); place < index.length; place++) {
    states.apply(index.at(place)!, () => source.bytesAt(place));
  }
  return { entries, snapshots };
}

const NOTHING = Buffer.alloc(0);
