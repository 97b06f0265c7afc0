// The offsets of one partition of __consumer_offsets, as a fold of its log (txn T-65 to T-69, wire G-34, G-45, G-47): load
// and appends come the same way, so that a reload gives the same. Answers no request, appends nothing.
import { DecodeError } from '../../../base/field-reader.ts';
import { formatPartition } from '../../../base/units.ts';
import type { Offset } from '../../../base/units.ts';
import type { RecordData } from '../../../log/encode-batch.ts';
import type { TraceEvent } from '../../../trace/events.ts';
import type { AppliedRecord, OffsetEnvironment, OffsetState } from '../contract.ts';
import { OffsetEntry } from './offset-entry.ts';
import type { OffsetView } from './offset-entry.ts';
import { decodeOffsetKey, decodeOffsetValue, encodeOffsetKey } from './offset-record.ts';
import type { OffsetKey, OffsetValue } from './offset-record.ts';

type OffsetsEvent = Extract<TraceEvent, { readonly type: 'group.offsets' }>;

export class OffsetStore implements OffsetState {
  readonly #environment: OffsetEnvironment;
  /** By group, and by partition as people write it. */
  readonly #groups = new Map<string, Map<string, OffsetEntry>>();
  /** Where each producer has something pending. */
  readonly #open = new Map<number, Set<OffsetEntry>>();
  /** Deleted at, in log order: to be forgotten once that is committed. */
  #deleted: { readonly entry: OffsetEntry; readonly at: Offset }[] = [];
  #loaded = false;

  constructor(environment: OffsetEnvironment) {
    this.#environment = environment;
  }

  loaded(): void {
    this.#loaded = true;
  }

  apply(record: AppliedRecord, producerId: number | undefined): string | undefined {
    const read = this.#read(record);
    if (read === undefined) return undefined;
    const { key, value } = read;
    const bound = this.#environment.highWatermark();
    this.#sweep(bound);
    if (value === undefined) this.#delete(key, record.offset);
    else {
      const stored = { ...value, recordOffset: record.offset };
      const entry = this.#reach(key);
      entry.prune(bound);
      if (producerId === undefined) entry.change(record.offset, stored);
      else this.#pend(entry, producerId).pending.set(producerId, stored);
      const kind = producerId === undefined ? 'committed' : 'pending';
      this.#trace({ kind, key, offset: stored.offset, producerId }, record.offset);
    }
    return value === undefined ? undefined : key.groupId;
  }

  endTransaction(producerId: number, outcome: 'commit' | 'abort', offset: Offset): void {
    const { runtime } = this.#environment.host;
    const entries = this.#open.get(producerId);
    if (entries === undefined) return;
    this.#open.delete(producerId);
    for (const entry of entries) {
      const stored = entry.pending.get(producerId)!;
      entry.pending.delete(producerId);
      // A plain commit between the transactional one and the marker wins (txn T-67).
      const isNewer = entry.latest === undefined || stored.recordOffset > entry.latest.recordOffset;
      const counts = outcome === 'commit' && (isNewer || !runtime.safeguard('group.logOrderWins'));
      if (counts) entry.change(offset, stored);
      entry.prune(this.#environment.highWatermark());
      this.#forgetIfEmpty(entry);
      const kind = counts ? 'materialised' : outcome === 'commit' ? 'overtaken' : 'dropped';
      this.#trace({ kind, key: entry, offset: stored.offset, producerId }, offset);
    }
  }

  tombstones(groupId: string): readonly RecordData[] {
    return this.entries(groupId).map((entry) => this.tombstone(entry));
  }

  tombstone(key: OffsetKey): RecordData {
    const timestamp = this.#environment.host.runtime.clock.wallTime();
    return { timestamp, key: encodeOffsetKey(key), value: null };
  }

  entry(groupId: string, topic: string, partition: number): OffsetView | undefined {
    return this.#groups.get(groupId)?.get(formatPartition(topic, partition));
  }

  entries(groupId: string): readonly OffsetView[] {
    const all = [...(this.#groups.get(groupId)?.values() ?? [])];
    return all.filter(({ latest, pending }) => latest !== undefined || pending.size > 0).sort(byPartition);
  }

  committedEntries(groupId: string): readonly OffsetView[] {
    const bound = this.#environment.highWatermark();
    const all = [...(this.#groups.get(groupId)?.values() ?? [])];
    return all.filter((entry) => entry.asOf(bound) !== undefined).sort(byPartition);
  }

  groupIds(): readonly string[] {
    return [...this.#groups.keys()];
  }

  groupsOf(producerId: number): readonly string[] {
    return [...new Set([...(this.#open.get(producerId) ?? [])].map(({ groupId }) => groupId))];
  }

  /** Txn T-68: what is committed goes, and what is pending. */
  #delete(key: OffsetKey, at: Offset): void {
    const entry = this.#groups.get(key.groupId)?.get(formatPartition(key.topic, key.partition));
    if (entry === undefined) return;
    const offset = entry.latest?.offset ?? -1;
    for (const producerId of entry.pending.keys()) {
      const entries = this.#open.get(producerId)!;
      entries.delete(entry);
      if (entries.size === 0) this.#open.delete(producerId);
    }
    entry.pending.clear();
    if (entry.latest !== undefined) {
      entry.change(at, undefined);
      this.#deleted.push({ entry, at });
    }
    this.#forgetIfEmpty(entry);
    this.#trace({ kind: 'deleted', key, offset, producerId: undefined }, at);
  }

  #pend(entry: OffsetEntry, producerId: number): OffsetEntry {
    const entries = this.#open.get(producerId) ?? new Set();
    this.#open.set(producerId, entries.add(entry));
    return entry;
  }

  #reach(key: OffsetKey): OffsetEntry {
    const entries = this.#groups.get(key.groupId) ?? new Map<string, OffsetEntry>();
    this.#groups.set(key.groupId, entries);
    const name = formatPartition(key.topic, key.partition);
    const entry = entries.get(name) ?? new OffsetEntry(key);
    entries.set(name, entry);
    return entry;
  }

  #forgetIfEmpty(entry: OffsetEntry): void {
    if (!entry.isEmpty) return;
    const entries = this.#groups.get(entry.groupId);
    const name = formatPartition(entry.topic, entry.partition);
    if (entries?.get(name) !== entry) return;
    entries.delete(name);
    if (entries.size === 0) this.#groups.delete(entry.groupId);
  }

  /** Forgets what was deleted, once nobody can see it any more. */
  #sweep(bound: Offset): void {
    const kept = this.#deleted.findIndex(({ at }) => at >= bound);
    for (const { entry } of this.#deleted.splice(0, kept < 0 ? this.#deleted.length : kept)) {
      entry.prune(bound);
      this.#forgetIfEmpty(entry);
    }
  }

  /** Undefined if it cannot be read, which is warned of; a tombstone has no value. */
  #read(record: AppliedRecord): { key: OffsetKey; value: OffsetValue | undefined } | undefined {
    try {
      const key = decodeOffsetKey(record.key);
      return { key, value: record.value === null ? undefined : decodeOffsetValue(record.value) };
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      const where = `__consumer_offsets-${this.#environment.partition} at ${record.offset}`;
      const message = `${where}: the record is passed over: ${error.message}`;
      this.#environment.host.runtime.trace({ type: 'log.line', level: 'warn', message });
      return undefined;
    }
  }

  #trace(
    what: {
      readonly kind: OffsetsEvent['kind'];
      readonly key: OffsetKey;
      readonly offset: Offset;
      readonly producerId: number | undefined;
    },
    recordOffset: Offset,
  ): void {
    if (!this.#loaded) return;
    const { host, partition, coordinatorEpoch } = this.#environment;
    const { kind, key, offset, producerId } = what;
    host.runtime.trace({
      ...{ type: 'group.offsets', partition, coordinatorEpoch, group: key.groupId, kind, recordOffset },
      ...(producerId === undefined ? {} : { producerId }),
      offsets: { [formatPartition(key.topic, key.partition)]: offset },
    });
  }
}

function byPartition(a: OffsetKey, b: OffsetKey): number {
  if (a.topic !== b.topic) return a.topic < b.topic ? -1 : 1;
  return a.partition - b.partition;
}
