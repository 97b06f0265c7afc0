// A history without what compaction may have taken out of it (txn T-114): of a compacted partition nothing is promised of a
// record that a later one of its key supersedes, nor of a tombstone once what it deletes is nowhere, nor of what was aborted.
// What is left is judged as in any other partition. A tombstone stays as long as something older of its key is to be found: it
// was to keep that away. So does what was aborted: whoever is given it as committed is wronged, superseded or not.
import type { HistoryEntry, LogRecord, SeenRecord, SendOp } from '../history/operations.ts';
import { isTombstone, keyOf } from '../history/record-text.ts';
import type { HistoryView } from './view.ts';

type Offset = number;

/** What became of one value that was sent, by all sends of it: what was aborted is often sent again. */
interface SentValue {
  readonly value: string;
  offset: Offset | undefined;
  isAcked: boolean;
  /** Sends that have not failed for sure: it may have been appended. */
  open: number;
  /** The transactions it was sent in; undefined: outside any. */
  readonly txns: Set<string | undefined>;
}

interface CompactedPartition {
  /** By key. */
  readonly sent: Map<string, Map<string, SentValue>>;
  /** The first offset at which a replica holds something of a key that is no tombstone and not aborted. */
  readonly oldest: Map<string, Offset>;
}

/** The same history if nothing is compacted. */
export function withoutCompacted(entries: readonly HistoryEntry[]): readonly HistoryEntry[] {
  const compacted = compactedIn(entries);
  if (compacted.size === 0) return entries;
  const ended = endsOf(entries);
  for (const entry of entries) if (entry.f === 'send') take(compacted.get(entry.partition), entry);
  for (const entry of entries) {
    if (entry.f !== 'replica') continue;
    const partition = compacted.get(entry.partition);
    if (partition !== undefined) for (const record of entry.records) hold(partition, record, ended);
  }
  return entries.flatMap((entry): readonly HistoryEntry[] => {
    const partition = 'partition' in entry ? compacted.get(entry.partition) : undefined;
    return partition === undefined ? [entry] : left(entry, partition, ended);
  });
}

/** Whether one replica may hold this and another not, in a compacted partition: a marker, or what was not committed. */
export function mayBeCompacted(view: HistoryView, partition: string, record: LogRecord): boolean {
  if (!view.budgets.some((op) => op.what === 'compaction' && op.partition === partition)) return false;
  if (record.marker !== undefined) return true;
  const senders = view.sent.of(partition)?.get(record.value ?? '')?.transactions ?? [];
  return senders.length > 0 && senders.every((txn) => txn !== undefined && txn.verdict !== 'committed');
}

function compactedIn(entries: readonly HistoryEntry[]): Map<string, CompactedPartition> {
  const compacted = new Map<string, CompactedPartition>();
  for (const entry of entries) {
    if (entry.f !== 'budget' || entry.what !== 'compaction') continue;
    compacted.set(entry.partition, {
      sent: new Map<string, Map<string, SentValue>>(),
      oldest: new Map<string, Offset>(),
    });
  }
  return compacted;
}

/** How transactions ended for those who ran them, as far as they were told. */
function endsOf(entries: readonly HistoryEntry[]): ReadonlyMap<string, 'commit' | 'abort'> {
  const ends = new Map<string, 'commit' | 'abort'>();
  for (const entry of entries) {
    if ((entry.f === 'commit' || entry.f === 'abort') && entry.type === 'ok') {
      ends.set(`${entry.process} ${entry.txn}`, entry.f);
    }
  }
  return ends;
}

type Ends = ReturnType<typeof endsOf>;

function take(partition: CompactedPartition | undefined, send: SendOp): void {
  const key = keyOf(send.value);
  if (partition === undefined || key === undefined) return;
  const ofKey = partition.sent.get(key) ?? new Map<string, SentValue>();
  partition.sent.set(key, ofKey);
  const known: SentValue = ofKey.get(send.value) ?? {
    ...{ value: send.value, offset: undefined, isAcked: false, open: 0, txns: new Set() },
  };
  ofKey.set(send.value, known);
  known.txns.add(send.txn === undefined ? undefined : `${send.process} ${send.txn}`);
  if (send.type === 'invoke') known.open += 1;
  if (send.type === 'ok') [known.isAcked, known.offset] = [true, send.offset];
  if (send.type === 'fail') known.open -= 1;
}

function hold({ sent, oldest }: CompactedPartition, { value, offset }: LogRecord, ended: Ends): void {
  const key = value === undefined ? undefined : keyOf(value);
  if (key === undefined || value === undefined || isTombstone(value)) return;
  if (isUncommitted(sent.get(key)?.get(value), ended)) return;
  oldest.set(key, Math.min(offset, oldest.get(key) ?? Infinity));
}

function left(entry: HistoryEntry, partition: CompactedPartition, ended: Ends): readonly HistoryEntry[] {
  const stays = ({ value }: SeenRecord | LogRecord): boolean =>
    value === undefined || !mayBeGone(value, partition, ended);
  switch (entry.f) {
    case 'send':
      return sentOf(entry.value, partition)?.isAcked === true && !stays({ value: entry.value, offset: 0 })
        ? []
        : [entry];
    case 'poll':
    case 'scan': {
      if (entry.records === undefined) return [entry];
      const committedOnly = entry.isolation === 'read_committed';
      const records = entry.records.filter(
        (record) => stays(record) && (committedOnly || !isUncommitted(sentOf(record.value, partition), ended)),
      );
      return [{ ...entry, records }];
    }
    case 'replica':
      return [{ ...entry, records: entry.records.filter(stays) }];
    default:
      return [entry];
  }
}

function sentOf(value: string, { sent }: CompactedPartition): SentValue | undefined {
  return sent.get(keyOf(value) ?? '')?.get(value);
}

/** Whether no transaction that is known to be committed sent it, and nobody outside one. */
function isUncommitted(sent: SentValue | undefined, ended: Ends): boolean {
  return sent !== undefined && [...sent.txns].every((txn) => txn !== undefined && ended.get(txn) !== 'commit');
}

/** Whether all that sent it are known to be aborted. */
function isAborted({ txns }: SentValue, ended: Ends): boolean {
  return [...txns].every((txn) => txn !== undefined && ended.get(txn) === 'abort');
}

function mayBeGone(value: string, partition: CompactedPartition, ended: Ends): boolean {
  const mine = sentOf(value, partition);
  if (mine === undefined || isAborted(mine, ended)) return false;
  const ofKey = [...partition.sent.get(keyOf(value)!)!.values()];
  if (ofKey.some((other) => other !== mine && maySupersede(other, mine, ended))) return true;
  if (!isTombstone(value)) return false;
  const older = partition.oldest.get(keyOf(value)!);
  return mine.offset === undefined || older === undefined || older > mine.offset;
}

function maySupersede(other: SentValue, mine: SentValue, ended: Ends): boolean {
  if (other.open <= 0 || isAborted(other, ended)) return false;
  return other.offset === undefined || mine.offset === undefined || other.offset > mine.offset;
}
