// Reads a log from the store at start and makes it valid (repl ): everything from the first bad batch on is
// cut, epoch entries beyond either end go. Also emulates power loss, which takes unflushed batches (design section 4).
import type { Offset } from '../base/units.ts';
import { readBatchHeader } from '../protocol/batch-header.ts';
import { DiskFailure, diskLies } from '../runtime/disk-failure.ts';
import type { StoreEntry, StoreOp } from '../runtime/ports.ts';
import { decodeAborted, encodeAborted } from './aborted-index.ts';
import { BatchIndex, indexed } from './batch-index.ts';
import type { IndexedBatch } from './batch-index.ts';
import { frameProblem, hasValidCrc } from './decode-batch.ts';
import { cutCleaner, decodeCleaner } from './cleaner-state.ts';
import { assignEpoch, cutEpochs, latestEpoch, raiseEpochs } from './epoch-cache.ts';
import type { EpochCache } from './epoch-cache.ts';
import { decodeOffset } from './keys.ts';
import type { BatchKey, LogKeys } from './keys.ts';
import { batchDeletions, truncationWrites, withSnapshot } from './log-state.ts';
import type { LogState } from './log-state.ts';
import type { LogStore } from './log-store.ts';
import type { OpenTransactions } from './open-transactions.ts';
import type { ProducerEntry } from './producer-entry.ts';
import { encodeSnapshot } from './producer-snapshot.ts';
import { rebuildProducers } from './rebuild-producers.ts';
import type { Rebuilding } from './rebuild-producers.ts';
import type { AbortedEntry } from './transactions-api.ts';

export interface LoadContext {
  readonly keys: LogKeys;
  readonly store: LogStore;
  readonly maxWriteBytes: number;
  /** Bytes of newest batches that the log will keep in memory. */
  readonly newestMaxBytes: number;
}

export interface LoadOptions {
  /** After a clean stop nothing is verified. */
  readonly clean: boolean;
  /** Unflushed batches to lose, at most. */
  readonly loseBatches: number;
  /** When producers of snapshots are too old to be known (txn T-112); and whether they are known by the log at all. */
  readonly producers: Rebuilding & { readonly followLog: boolean };
}

/** A log as it was found, or made. */
export interface LoadedLog {
  readonly state: LogState;
  readonly index: BatchIndex;
  readonly highWatermark: Offset;
  /** Batches that were in the store and are no part of the log any more. */
  readonly cut: number;
  readonly producers: Map<number, ProducerEntry>;
  readonly transactions: OpenTransactions;
  /** The aborted index, by last offset. */
  readonly aborted: readonly AbortedEntry[];
}

/** Bytes that one scan should bring, roughly. */
const SCAN_BYTES = 4 * 1024 * 1024;
const SCAN_MIN = 16;
const SCAN_MAX = 4096;

/** Loads a log; `done` when the store agrees with what it answers. */
export function loadLog(context: LoadContext, options: LoadOptions, done: (loaded: LoadedLog) => void): void {
  const { keys, store } = context;
  store.scan(keys.all('epoch'), (epochs) => {
    store.scan(keys.all('segment'), (segments) => {
      store.scan(keys.all('snapshot'), (snapshots) => {
        store.scan(keys.all('aborted'), (aborted) => {
          const loading = new Loading(context, options, {
            epochs: epochs.map(({ key, value }) => [keys.decodeEpoch(key), decodeOffset(value)] as const),
            segments: segments.map(({ key }) => keys.decodeSegment(key)),
            snapshots: snapshots.map(({ key }) => keys.decodeSegment(key)),
            aborted,
          });
          loading.sweep((from) => loading.scan(from, () => loading.conclude(done)));
        });
      });
    });
  });
}

/** One load under way. */
class Loading {
  readonly #context: LoadContext;
  readonly #options: LoadOptions;
  readonly #stored: LogState;
  readonly #storedHighWatermark: Offset;
  readonly #index: BatchIndex;
  readonly #aborted: readonly StoreEntry[];
  #epochs: EpochCache;
  /** From the first bad batch on. */
  readonly #bad: IndexedBatch[] = [];
  #scanLimit = 64;

  constructor(context: LoadContext, options: LoadOptions, found: Scanned) {
    const { epochs, segments, snapshots } = found;
    this.#aborted = found.aborted;
    this.#context = context;
    this.#options = options;
    const { keys, store } = context;
    const offset = (key: Buffer) => decodeOffset(store.get(key) ?? ZERO);
    this.#stored = {
      logStartOffset: offset(keys.logStart),
      endOffset: 0,
      flushedOffset: offset(keys.flushed),
      ...{ epochs, segments, snapshots, cleaner: decodeCleaner(store.get(keys.cleaner)) },
    };
    this.#storedHighWatermark = offset(keys.highWatermark);
    this.#index = new BatchIndex(context.newestMaxBytes);
    this.#epochs = epochs;
  }

  /** Removes batches below the log start that a kill left there. Answers where the log's own batches begin. */
  sweep(done: (from: Offset) => void): void {
    const { keys, store } = this.#context;
    const { logStartOffset } = this.#stored;
    if (logStartOffset === 0) return done(0);
    store.scan({ ...keys.batches(0, logStartOffset + 1), reverse: true, limit: 1 }, ([entry]) => {
      if (entry === undefined) return done(logStartOffset);
      const nearest = keys.decodeBatch(entry.key);
      const from = nearest.lastOffset >= logStartOffset ? nearest.baseOffset : logStartOffset;
      this.#sweepBelow(from, () => done(from));
    });
  }

  #sweepBelow(offset: Offset, done: () => void): void {
    const { keys, store, maxWriteBytes } = this.#context;
    store.scan({ ...keys.batches(0, offset), limit: SCAN_MIN }, (entries) => {
      if (entries.length === 0) return done();
      const leftovers = entries.map((entry) => unreadable(keys.decodeBatch(entry.key)));
      store.writeAll(batchDeletions(keys, leftovers, maxWriteBytes), () => this.#sweepBelow(offset, done));
    });
  }

  /** Takes in all batches from `from` on. */
  scan(from: Offset, done: () => void): void {
    const { keys, store } = this.#context;
    const limit = this.#scanLimit;
    store.scan({ ...keys.batches(from), limit }, (entries) => {
      let sizeBytes = 1;
      for (const entry of entries) {
        sizeBytes += entry.value.length;
        this.#take(entry);
      }
      const last = entries.at(-1);
      if (last === undefined || entries.length < limit) return done();
      const fitting = Math.floor((SCAN_BYTES * entries.length) / sizeBytes);
      this.#scanLimit = Math.max(SCAN_MIN, Math.min(SCAN_MAX, fitting));
      this.scan(keys.decodeBatch(last.key).baseOffset + 1, done);
    });
  }

  #take({ key, value }: StoreEntry): void {
    const found = this.#context.keys.decodeBatch(key);
    const header = readBatchHeader(value);
    const batch = header === undefined ? unreadable(found) : { ...indexed(header, found.previousEnd, value), ...found };
    if (this.#bad.length > 0 || this.#isBad(found, value)) {
      // A kill tears only what was not flushed. To cut more would take back what this replica is in sync for.
      if (!this.#mustVerify(found)) {
        throw new DiskFailure(diskLies(`the batch at offset ${found.baseOffset} was flushed, and is damaged`));
      }
      this.#bad.push(batch);
      return;
    }
    this.#index.push(batch);
    // The batches know an epoch whose entry is gone (repl R-66); it is newer than those that are left.
    const missing = batch.leaderEpoch > (latestEpoch(this.#epochs) ?? -1);
    if (missing && this.#mustVerify(found)) {
      this.#epochs = assignEpoch(this.#epochs, batch.leaderEpoch, batch.baseOffset);
    }
  }

  /** Whether this is the first batch that cannot be kept. */
  #isBad(found: BatchKey, value: Buffer): boolean {
    const header = readBatchHeader(value);
    if (header === undefined || header.sizeBytes !== value.length) return true;
    if (frameProblem(value, header, 0) !== undefined) return true;
    if (header.baseOffset !== found.baseOffset || header.lastOffset !== found.lastOffset) return true;
    const last = this.#index.at(-1);
    if (last !== undefined && found.baseOffset <= last.lastOffset) return true;
    if (!this.#mustVerify(found)) return false;
    // Below, the cleaner may have made gaps (txn T-114).
    const { logStartOffset, cleaner } = this.#stored;
    const connected = Math.max(logStartOffset, cleaner.gapsBelow, last === undefined ? 0 : last.lastOffset + 1);
    return found.previousEnd > connected || !hasValidCrc(value, header);
  }

  #mustVerify(found: BatchKey): boolean {
    return !this.#options.clean && found.lastOffset >= this.#stored.flushedOffset;
  }

  /** Cuts what has to go, in memory and in the store. */
  conclude(done: (loaded: LoadedLog) => void): void {
    const { keys, store, maxWriteBytes } = this.#context;
    const { logStartOffset, flushedOffset, segments, snapshots, cleaner } = this.#stored;
    const unflushed = this.#index.length - this.#index.find(flushedOffset);
    const lost = this.#index.cut(this.#index.length - Math.min(unflushed, this.#options.loseBatches));
    const last = this.#index.at(-1);
    const endOffset = Math.max(logStartOffset, last === undefined ? 0 : last.lastOffset + 1);
    const kept = segments.filter((base) => base <= endOffset);
    const found: LogState = {
      logStartOffset,
      endOffset,
      epochs: raiseEpochs(cutEpochs(this.#epochs, endOffset), logStartOffset),
      segments: kept.length > 0 ? kept : [this.#index.at(0)?.baseOffset ?? logStartOffset],
      flushedOffset: Math.min(flushedOffset, endOffset),
      snapshots: snapshots.filter((offset) => offset <= endOffset && offset > logStartOffset),
      cleaner: cutCleaner(cleaner, endOffset),
    };
    const highWatermark = Math.max(logStartOffset, Math.min(this.#storedHighWatermark, endOffset));
    const { state, ops, ...known } = this.#withProducers(found, highWatermark);
    const removed = [...lost, ...this.#bad];
    const loaded = { state, index: this.#index, highWatermark, cut: removed.length, ...known };
    const writes = truncationWrites(keys, removed, { before: this.#stored, after: state, ops }, maxWriteBytes);
    store.writeAll(writes, () => done(loaded));
  }

  /** Txn T-112, T-113. */
  #withProducers(found: LogState, highWatermark: Offset): Known {
    const { keys, store } = this.#context;
    const { followLog, ...rebuilding } = this.#options.producers;
    const snapshotAt = (offset: Offset) => store.get(keys.snapshot(offset));
    const source = { index: this.#index, snapshots: found.snapshots, snapshotAt, highWatermark };
    const { entries, transactions, snapshots, aborted: seen } = rebuildProducers(source, rebuilding);
    const { aborted, ops } = this.#abortedIndex(seen);
    if (!followLog) return { state: found, producers: new Map(), transactions, aborted, ops };
    const state = { ...found, snapshots };
    const { endOffset, logStartOffset } = found;
    const known = { producers: entries, transactions, aborted };
    if (endOffset === (snapshots.at(-1) ?? logStartOffset)) return { ...known, state, ops };
    ops.push({ type: 'put', key: keys.snapshot(endOffset), value: encodeSnapshot(entries) });
    return { ...known, state: withSnapshot(state), ops };
  }

  /** The entries whose markers are there, and the writes that make the store hold just these (txn T-142, CP-54). */
  #abortedIndex(seen: readonly AbortedEntry[]): { readonly aborted: AbortedEntry[]; readonly ops: StoreOp[] } {
    const { keys } = this.#context;
    const ops: StoreOp[] = [];
    const entries = new Map<Offset, AbortedEntry>();
    for (const { key, value } of this.#aborted) {
      const entry = decodeAborted(value);
      const marker = entry === undefined ? undefined : this.#index.at(this.#index.find(entry.lastOffset));
      if (entry !== undefined && marker?.lastOffset === entry.lastOffset) entries.set(entry.lastOffset, entry);
      else ops.push({ type: 'del', key });
    }
    for (const entry of seen) {
      if (entries.has(entry.lastOffset)) continue;
      entries.set(entry.lastOffset, entry);
      ops.push({ type: 'put', key: keys.aborted(entry.lastOffset), value: encodeAborted(entry) });
    }
    return { aborted: [...entries.values()].sort((a, b) => a.lastOffset - b.lastOffset), ops };
  }
}

/** What a log says of itself beside its batches. */
interface Scanned extends Pick<LogState, 'epochs' | 'segments' | 'snapshots'> {
  readonly aborted: readonly StoreEntry[];
}

/** What is known of producers and transactions, and what to write so that the store agrees. */
interface Known extends Pick<LoadedLog, 'state' | 'producers' | 'transactions' | 'aborted'> {
  readonly ops: StoreOp[];
}

const ZERO = Buffer.alloc(8);

/** Index fields of a batch that is only going to be deleted. */
function unreadable(key: BatchKey): IndexedBatch {
  const producer = { attributes: 0, producerId: -1, producerEpoch: -1, baseSequence: -1 };
  return { ...key, sizeBytes: 0, leaderEpoch: -1, crc: 0, maxTimestamp: -1, ...producer };
}
