// The two states of one log and every write that leads from one to the next (design section 4). `decided` is what the
// store will hold when all writes under way are through; `counted` is what it holds for certain, and all that readers,
// fetches and events know. What goes away goes from `counted` at once, before the store is asked: nobody may read what
// is being deleted, and a kill may carry a deletion out whose completion nobody saw.
import type { EpochMs, Offset } from '../base/units.ts';
import type { Safeguard } from '../fault/safeguards.ts';
import type { StoreOp } from '../runtime/ports.ts';
import { AbortedIndex, encodeAborted } from './aborted-index.ts';
import type { LogEvents } from './api.ts';
import { readBatchHeader } from '../protocol/batch-header.ts';
import { indexed } from './batch-index.ts';
import type { BatchIndex, IndexedBatch } from './batch-index.ts';
import type { CleanerState } from './cleaner-state.ts';
import { Gate } from './gate.ts';
import type { LogKeys } from './keys.ts';
import type { LoadedLog } from './load-log.ts';
import { batchDeletions, cutTo, deletionOps, offsetOps, raisedTo, restartedAt } from './log-state.ts';
import { stateOps, truncationWrites, withoutEmptyEpoch, withSnapshot } from './log-state.ts';
import type { LogState } from './log-state.ts';
import type { LogStore } from './log-store.ts';
import type { LogTrace, Why } from './log-trace.ts';
import type { OpenTransactions } from './open-transactions.ts';
import { ProducerStates } from './producer-states.ts';
import { completedIn, rebuildProducers } from './rebuild-producers.ts';
import type { ProducerSource } from './rebuild-producers.ts';
import type { AbortedEntry } from './transactions-api.ts';

export interface LedgerContext {
  readonly keys: LogKeys;
  readonly store: LogStore;
  readonly trace: LogTrace;
  /** One atomic write holds about this much. */
  readonly maxWriteBytes: number;
  readonly producerIdExpirationMs: number;
  /** Broker wall clock. */
  now(): EpochMs;
  /** Whether what is known of producers follows from the log (seq.replicatedState). */
  producersFollowLog(): boolean;
  safeguard(name: Safeguard): boolean;
}

/** A state, and what is to be written with it. */
export interface Change {
  readonly state: LogState;
  readonly ops: readonly StoreOp[];
}

/** A batch that is rewritten; without bytes it goes. */
export interface Rewrite {
  readonly batch: IndexedBatch;
  readonly bytes: Buffer | undefined;
}

export class LogLedger {
  readonly #context: LedgerContext;
  readonly gate = new Gate();
  /** The counted batches. */
  readonly index: BatchIndex;
  /** As of the decided end. */
  readonly producers: ProducerStates;
  /** The counted entries. */
  readonly aborted: AbortedIndex;
  #transactions: OpenTransactions;
  #decided: LogState;
  #counted: LogState;
  #highWatermark: Offset;
  #on: LogEvents | undefined;
  /** Rises when the log is cut: a write from before must not bring its state back. */
  #generation = 0;

  constructor(context: LedgerContext, loaded: LoadedLog) {
    this.#context = context;
    this.index = loaded.index;
    this.producers = new ProducerStates(loaded.producers);
    this.#transactions = loaded.transactions;
    this.aborted = new AbortedIndex([...loaded.aborted]);
    this.#decided = loaded.state;
    this.#counted = loaded.state;
    this.#highWatermark = loaded.highWatermark;
  }

  listen(on: LogEvents): void {
    this.#on = on;
  }

  get decided(): LogState {
    return this.#decided;
  }
  get counted(): LogState {
    return this.#counted;
  }
  get highWatermark(): Offset {
    return this.#highWatermark;
  }

  /** How far the log start may be raised (repl R-19; the safeguard retention.hwBound). */
  get deletableTo(): Offset {
    return this.#context.safeguard('retention.hwBound') ? this.#highWatermark : this.#counted.endOffset;
  }

  /** Clamps to [log start, log end] (repl R-48, I-1). */
  setHighWatermark(value: Offset): Offset {
    const { logStartOffset, endOffset } = this.#counted;
    const before = this.#highWatermark;
    this.#highWatermark = Math.max(logStartOffset, Math.min(value, endOffset));
    const known = this.#context.safeguard('txn.lsoFollowsHw') ? this.#highWatermark : before;
    if (this.#highWatermark > before) this.#transactions.replicated(known);
    else if (this.#highWatermark < before) {
      this.#transactions.undecide(completedIn(this.#source(this.#counted), this.#highWatermark, before));
    }
    return this.#highWatermark;
  }

  /** Txn T-126, of what is counted. */
  get firstUnstableOffset(): Offset | undefined {
    const first = this.#transactions.firstUnstable;
    if (first === undefined || first >= this.#counted.endOffset) return undefined;
    return Math.max(first, this.#counted.logStartOffset);
  }

  /** Txn T-127. */
  get lastStableOffset(): Offset {
    return Math.min(this.firstUnstableOffset ?? Infinity, this.#highWatermark);
  }

  /** A batch was given its place: what producers and transactions are known by (txn T-91, T-125). */
  applyBatch(batch: IndexedBatch, role: 'leader' | 'follower'): AbortedEntry | undefined {
    if (role === 'leader' || this.#context.producersFollowLog()) this.producers.apply(batch);
    return this.#transactions.apply(batch);
  }

  /** What writes an entry of the aborted index: in the same write as the marker's batch (txn T-139, CP-54). */
  abortedOp(entry: AbortedEntry): StoreOp {
    return { type: 'put', key: this.#context.keys.aborted(entry.lastOffset), value: encodeAborted(entry) };
  }

  /** The entry's marker is counted. */
  countAborted(entry: AbortedEntry): void {
    this.aborted.push(entry);
    this.#context.trace.aborted(entry);
  }

  #abortedGone(entries: readonly AbortedEntry[]): StoreOp[] {
    return entries.map(({ lastOffset }) => ({ type: 'del', key: this.#context.keys.aborted(lastOffset) }));
  }

  #source(state: LogState): ProducerSource {
    const { keys, store } = this.#context;
    const { index } = this;
    // Only what is in the store for certain, and not on its way out.
    const snapshots = state.snapshots.filter((offset) => this.#decided.snapshots.includes(offset));
    const snapshotAt = (offset: Offset) => store.get(keys.snapshot(offset));
    return { index, snapshots, snapshotAt, highWatermark: this.#highWatermark };
  }

  /** Decides `after` and writes what that changes together with `ops`; counted when the store has it, then `done`. */
  decide(
    after: LogState,
    write: { readonly ops?: readonly StoreOp[]; readonly sync?: boolean },
    done: () => void,
  ): void {
    const { keys, store } = this.#context;
    const ops = [...(write.ops ?? []), ...stateOps(keys, this.#decided, after)];
    // Every operation writes something, so that its completion has its place in the one order of writes.
    if (ops.length === 0) ops.push(...offsetOps(keys, after));
    this.#decided = after;
    const generation = this.#generation;
    this.gate.enter();
    store.write(ops, { sync: write.sync ?? false }, () => {
      if (generation === this.#generation) this.#count(after);
      this.gate.leave(done);
    });
  }

  /** Rises with every cut: what was known of the log before is out of date. */
  get generation(): number {
    return this.#generation;
  }

  /**
   * The cleaner rewrites batches, in one atomic write (txn T-114). Readers see the new ones at once; an entry of the aborted
   * index goes with its marker.
   */
  rewrite(changes: readonly Rewrite[], cleaner: CleanerState, done: () => void): void {
    const { keys } = this.#context;
    const gone = new Set(changes.flatMap(({ batch, bytes }) => (bytes === undefined ? [batch.lastOffset] : [])));
    const aborted = this.aborted.entries.filter(({ lastOffset }) => gone.has(lastOffset));
    if (aborted.length > 0) this.aborted.drop(gone);
    const ops = changes.map(({ batch, bytes }): StoreOp => {
      const key = keys.batch(batch);
      return bytes === undefined ? { type: 'del', key } : { type: 'put', key, value: bytes };
    });
    const rewritten = changes.map(({ batch, bytes }) => {
      const now = bytes === undefined ? undefined : readBatchHeader(bytes)!;
      const change = now === undefined ? undefined : { batch: indexed(now, batch.previousEnd, bytes!), bytes: bytes! };
      return [batch.baseOffset, change] as const;
    });
    this.index.rewrite(new Map(rewritten));
    this.decide({ ...this.#decided, cleaner }, { ops: [...ops, ...this.#abortedGone(aborted)] }, () => {
      this.index.written(rewritten.map(([baseOffset]) => baseOffset));
      done();
    });
  }

  /** `state` with a snapshot of the producers at its end, which is the decided one, unless there is one (txn T-110). */
  snapshotted(state: LogState): Change {
    const { endOffset, logStartOffset, snapshots } = state;
    const taken = endOffset <= Math.max(logStartOffset, snapshots.at(-1) ?? 0);
    if (taken || !this.#context.producersFollowLog()) return { state, ops: [] };
    const key = this.#context.keys.snapshot(endOffset);
    return { state: withSnapshot(state), ops: [{ type: 'put', key, value: this.producers.snapshot() }] };
  }

  #count(after: LogState): void {
    const before = this.#counted;
    // The log start is counted at once when it is raised; writes from before that do not lower it.
    const { logStartOffset } = before;
    this.#counted = after.logStartOffset >= logStartOffset ? after : { ...after, logStartOffset };
    if (after.epochs !== before.epochs) this.#context.trace.epochs(after.epochs);
    if (after.flushedOffset > before.flushedOffset) this.#on?.flushed(after.flushedOffset);
  }

  /** Repl R-20. Nothing may be under way; `written` comes when the last of possibly several writes is through. */
  truncateTo(offset: Offset, written: () => void): void {
    const before = this.#decided;
    const firstOffset = this.index.at(0)?.baseOffset ?? before.logStartOffset;
    if (offset < firstOffset) return this.restartAt(offset, written);
    // The epoch of a leader that wrote nothing must go even if no batch does (trap T-8).
    const pruned = this.#context.safeguard('epochCache.complete') ? withoutEmptyEpoch(before) : before;
    const after = offset < before.endOffset ? cutTo(before, offset) : pruned;
    this.#replace({ after, goneFrom: after.endOffset, why: 'truncated' }, written);
  }

  /** Wipes the log and starts it again at `offset` (repl ). No append may be under way. */
  restartAt(offset: Offset, written: () => void): void {
    const goneFrom = Math.min(offset, this.#decided.logStartOffset);
    this.#replace({ after: restartedAt(this.#decided, offset), goneFrom, why: 'restarted' }, written);
  }

  #replace(change: { after: LogState; goneFrom: Offset; why: Why }, written: () => void): void {
    const { keys, store, trace, maxWriteBytes } = this.#context;
    const { goneFrom, why } = change;
    const before = this.#decided;
    const removed = this.index.cut(this.index.find(goneFrom));
    const aborted = this.#abortedGone(this.aborted.cut(goneFrom));
    const isCut = goneFrom < before.endOffset;
    const forgets = isCut || why === 'restarted';
    // Nothing of it that was undecided is decided now, and nothing that is left is decided by what is gone.
    this.#highWatermark = Math.min(this.#highWatermark, change.after.endOffset);
    const { state: after, ops } = forgets ? this.#rebuilt(change.after) : { state: change.after, ops: [] };
    this.#generation++;
    this.#decided = after;
    this.#counted = after;
    this.setHighWatermark(this.#highWatermark);
    if (isCut) {
      trace.truncated({ from: before.endOffset, to: goneFrom, highWatermark: this.#highWatermark }, why);
    }
    if (after.logStartOffset !== before.logStartOffset) trace.started(after.logStartOffset);
    if (after.epochs !== before.epochs) trace.epochs(after.epochs);
    store.writeAll(truncationWrites(keys, removed, { before, after, ops: [...ops, ...aborted] }, maxWriteBytes), () => {
      if (isCut) this.#on?.cut(before.endOffset, goneFrom);
      written();
    });
  }

  /** What is known of producers after a cut (txn T-112). The index is cut already. */
  #rebuilt(after: LogState): Change {
    const { now, producerIdExpirationMs: expirationMs, safeguard } = this.#context;
    const rebuilding = { now: now(), expirationMs, wholeWindow: safeguard('seq.wholeWindow') };
    const { entries, transactions, snapshots } = rebuildProducers(this.#source(after), rebuilding);
    this.#transactions = transactions;
    if (!this.#context.producersFollowLog()) {
      this.producers.replace(new Map());
      return { state: after, ops: [] };
    }
    this.producers.replace(entries);
    return this.snapshotted({ ...after, snapshots });
  }

  /** Raises the log start: the new start is written first, the batches below go after it (repl ). */
  raise(offset: Offset, done: () => void): void {
    const { keys, store, trace, maxWriteBytes } = this.#context;
    const dropped = this.index.dropFront(this.index.find(offset));
    const aborted = this.#abortedGone(this.aborted.dropFront(offset));
    this.#counted = { ...this.#counted, logStartOffset: offset };
    this.setHighWatermark(this.#highWatermark);
    if (!this.#context.safeguard('seq.retainState')) this.producers.forgetBelow(offset);
    trace.started(offset);
    const deletions = batchDeletions(keys, dropped, maxWriteBytes);
    if (aborted.length > 0) deletions.push(aborted);
    this.decide(raisedTo(this.#decided, offset), {}, deletions.length === 0 ? done : () => undefined);
    if (deletions.length === 0) return;
    this.gate.enter();
    store.writeAll(deletions, () => this.gate.leave(done));
  }

  /** Deletes the log from the store; nothing may be under way. */
  delete(written: () => void): void {
    const { keys, store, trace, maxWriteBytes } = this.#context;
    this.gate.close();
    trace.deleted();
    const removed = this.index.cut(0);
    const after = restartedAt(this.#decided, this.#decided.logStartOffset);
    const change = { before: this.#decided, after, ops: this.#abortedGone(this.aborted.cut(0)) };
    const writes = truncationWrites(keys, removed, change, maxWriteBytes);
    this.#decided = change.after;
    this.#counted = change.after;
    this.setHighWatermark(change.after.endOffset);
    store.writeAll([...writes, deletionOps(keys, change.after)], written);
  }
}
