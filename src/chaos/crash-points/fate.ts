// What became of the transaction of a row, from the history alone: its values in a final read_committed scan and in the final
// logs, and the offset that it committed. Everything or nothing, or it is torn.
import type { HistoryEntry, TxnOp } from '../../history/operations.ts';
import { clientOf } from '../process-names.ts';
import type { Fate } from './row.ts';

/** Whose transaction, and which of them. */
export interface Judged {
  readonly client: string;
  /** Counted from 1. */
  readonly txn: number;
}

/** A fate, or what was found instead. */
export type Fated = { readonly fate: Fate } | { readonly torn: string };

/** The fate of a transaction. A reader is asked only if there was no scan. */
export function fateOf(history: readonly HistoryEntry[], of: Judged, reader = 'rc'): Fated {
  const { values, offsets } = writtenBy(history, of);
  const logged = valuesLogged(history);
  const seen = valuesSeen(history, reader);
  const placed = values.filter((value) => logged.has(value));
  const visible = placed.filter((value) => seen.has(value));
  const moved = offsets.filter(({ group, partition, offset }) => committed(history, group)[partition] === offset);
  if (placed.length + moved.length === 0) return { fate: 'N' };
  if (visible.length + moved.length === 0) return { fate: 'A' };
  if (visible.length === placed.length && moved.length === offsets.length) return { fate: 'C' };
  const found = [...visible, ...moved.map(({ group, partition }) => `${group} of ${partition}`)];
  return {
    torn: `of ${[...placed, ...offsets.map(({ partition }) => partition)].join(', ')} only ${found.join(', ')}`,
  };
}

/** How an ending of it was answered: what was answered well binds (txn T-185). */
export function acknowledged(history: readonly HistoryEntry[], { client, txn }: Judged): 'C' | 'A' | undefined {
  const ended = history.find(
    (entry) =>
      (entry.f === 'commit' || entry.f === 'abort') &&
      entry.type === 'ok' &&
      entry.txn === txn &&
      entry.process === client,
  );
  return ended === undefined ? undefined : ended.f === 'commit' ? 'C' : 'A';
}

interface CommittedByIt {
  readonly group: string;
  readonly partition: string;
  readonly offset: number;
}

/** What it sent, and the offsets that it knows to be part of it. */
function writtenBy(
  history: readonly HistoryEntry[],
  { client, txn }: Judged,
): { readonly values: readonly string[]; readonly offsets: readonly CommittedByIt[] } {
  const values = new Set<string>();
  const offsets: CommittedByIt[] = [];
  const lossy = lossyPartitions(history);
  for (const entry of history) {
    if (entry.process !== client) continue;
    if (entry.f === 'send' && entry.txn === txn && entry.type === 'invoke' && !lossy.has(entry.partition))
      values.add(placeOf(entry.partition, entry.value));
    if (entry.f !== 'send-offsets' || entry.txn !== txn || entry.type !== 'ok' || isMovedOn(history, entry)) continue;
    const group = entry.group ?? '';
    for (const [partition, offset] of Object.entries(entry.offsets ?? {})) offsets.push({ group, partition, offset });
  }
  return { values: [...values], offsets };
}

/** Whether others commit offsets of the group behind it: what is committed in the end says nothing of it then. */
function isMovedOn(history: readonly HistoryEntry[], { group, index }: TxnOp): boolean {
  return history.some((entry) => entry.f === 'send-offsets' && entry.group === group && entry.index > index);
}

/** The same value may stand in several partitions. */
function placeOf(partition: string, value: string): string {
  return `${value} of ${partition}`;
}

/** What an unclean election lost says nothing of the transaction. */
function lossyPartitions(history: readonly HistoryEntry[]): ReadonlySet<string> {
  const losses = history.filter((entry) => entry.f === 'budget').filter(({ what }) => what === 'unclean-election');
  return new Set(losses.map(({ partition }) => partition));
}

function valuesLogged(history: readonly HistoryEntry[]): ReadonlySet<string> {
  const logged = new Set<string>();
  for (const entry of history) {
    if (entry.f !== 'replica') continue;
    for (const { value } of entry.records) if (value !== undefined) logged.add(placeOf(entry.partition, value));
  }
  return logged;
}

function valuesSeen(history: readonly HistoryEntry[], reader: string): ReadonlySet<string> {
  const scans = history.filter((entry) => entry.f === 'scan');
  const seen =
    scans.length > 0
      ? scans.filter(({ isolation }) => isolation === 'read_committed')
      : history.filter((entry) => entry.f === 'poll').filter(({ process }) => clientOf(process) === reader);
  return new Set(seen.flatMap(({ partition, records = [] }) => records.map(({ value }) => placeOf(partition, value))));
}

function committed(history: readonly HistoryEntry[], group: string): Readonly<Record<string, number>> {
  const found = history.filter((entry) => entry.f === 'committed').find((entry) => entry.group === group);
  return found?.offsets ?? {};
}
