// Finds out what a log knows of its producers and their transactions from the log itself (txn T-112, T-113, wire W-99): the
// newest snapshot that is whole, and the batches behind it. After a load, and after a truncation.
import type { EpochMs, Offset } from '../base/units.ts';
import { isControl } from './attributes.ts';
import type { BatchIndex } from './batch-index.ts';
import { OpenTransactions } from './open-transactions.ts';
import type { CompletedTransaction } from './open-transactions.ts';
import { isExpired } from './producer-entry.ts';
import type { ProducerEntry } from './producer-entry.ts';
import { withWholeWindows } from './producer-window.ts';
import { decodeSnapshot } from './producer-snapshot.ts';
import { ProducerStates } from './producer-states.ts';
import type { AbortedEntry } from './transactions-api.ts';

/** A log that was just read or cut. */
export interface ProducerSource {
  /** What is left of it, all counted. */
  readonly index: BatchIndex;
  /** Offsets of the snapshots of what is left, increasing. */
  readonly snapshots: readonly Offset[];
  snapshotAt(offset: Offset): Buffer | undefined;
  /** Markers at or above it are not replicated, as far as is known (txn T-113). */
  readonly highWatermark: Offset;
}

/** What is taken from a snapshot. */
export interface Rebuilding {
  readonly now: EpochMs;
  /** Producers silent for longer are not. */
  readonly expirationMs: number;
  /** Whether the batches below it complete what it holds (seq.wholeWindow). */
  readonly wholeWindow: boolean;
}

export interface RebuiltProducers {
  readonly entries: Map<number, ProducerEntry>;
  readonly transactions: OpenTransactions;
  /** Entries of the aborted index that the batches behind the snapshot say there must be. */
  readonly aborted: readonly AbortedEntry[];
  /** Snapshots that may stay: damaged ones newer than the one used are of no use. */
  readonly snapshots: readonly Offset[];
}

type Producers = ReadonlyMap<number, ProducerEntry>;

/** The producers and transactions at the end of a log. */
export function rebuildProducers(source: ProducerSource, rebuilding: Rebuilding): RebuiltProducers {
  const { index } = source;
  const { now, expirationMs, wholeWindow } = rebuilding;
  const { producers, snapshots } = newestSnapshot(source, source.snapshots);
  const known = new Map([...producers].filter(([, entry]) => !isExpired(entry, now, expirationMs)));
  const entries = wholeWindow ? withWholeWindows(known, index, snapshots.at(-1) ?? 0) : known;
  const states = new ProducerStates(entries);
  const transactions = new OpenTransactions(openIn(producers));
  const aborted: AbortedEntry[] = [];
  const from = snapshots.at(-1) ?? 0;
  for (let place = index.find(from); place < index.length; place++) {
    states.apply(index.at(place)!);
    const entry = transactions.apply(index.at(place)!);
    if (entry !== undefined) aborted.push(entry);
  }
  transactions.replicated(source.highWatermark);
  transactions.undecide(completedIn({ ...source, snapshots }, source.highWatermark, from));
  return { entries, transactions, aborted, snapshots };
}

/** The transactions whose markers stand in [from, upTo). */
export function completedIn(source: ProducerSource, from: Offset, upTo: Offset): readonly CompletedTransaction[] {
  const { index } = source;
  const [first, end] = [index.find(from), index.find(upTo)];
  let markers = false;
  for (let place = first; place < end && !markers; place++) markers = isControl(index.at(place)!.attributes);
  if (!markers) return [];
  const below = source.snapshots.filter((offset) => offset <= from);
  const { producers, snapshots } = newestSnapshot(source, below);
  const transactions = new OpenTransactions(openIn(producers));
  for (let place = index.find(snapshots.at(-1) ?? 0); place < end; place++) transactions.apply(index.at(place)!);
  transactions.replicated(from);
  return transactions.unreplicated;
}

function newestSnapshot(
  source: Pick<ProducerSource, 'snapshotAt'>,
  offsets: readonly Offset[],
): { readonly producers: Producers; readonly snapshots: readonly Offset[] } {
  const snapshots = [...offsets];
  for (let newest = snapshots.at(-1); newest !== undefined; newest = snapshots.at(-1)) {
    const producers = decodeSnapshot(source.snapshotAt(newest) ?? NOTHING);
    if (producers !== undefined) return { producers, snapshots };
    snapshots.pop();
  }
  return { producers: new Map(), snapshots };
}

/** The open transactions of a snapshot, in the order of their first offsets. */
function openIn(producers: Producers): Map<number, Offset> {
  const open = [...producers].flatMap(([producerId, { currentTxnFirstOffset }]) =>
    currentTxnFirstOffset === undefined ? [] : [[producerId, currentTxnFirstOffset] as const],
  );
  return new Map(open.sort(([, a], [, b]) => a - b));
}

const NOTHING = Buffer.alloc(0);
