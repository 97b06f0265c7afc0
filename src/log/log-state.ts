// What the store holds of a log beside its batches, as one value, and how each operation changes it. The difference of
// two such values, written in the same atomic batch as the data, is what makes a kill at any instant harmless
// (repl R-116, design section 4).
import type { Offset } from '../base/units.ts';
import type { StoreOp } from '../runtime/ports.ts';
import { assignEpoch, cutEpochs, raiseEpochs } from './epoch-cache.ts';
import type { EpochCache } from './epoch-cache.ts';
import type { IndexedBatch } from './batch-index.ts';
import { NEVER_CLEANED, cutCleaner, encodeCleaner } from './cleaner-state.ts';
import type { CleanerState } from './cleaner-state.ts';
import { encodeOffset } from './keys.ts';
import type { LogKeys } from './keys.ts';

export interface LogState {
  readonly logStartOffset: Offset;
  /** Exclusive. Not written: at load it is where the batches end. */
  readonly endOffset: Offset;
  readonly epochs: EpochCache;
  /** Base offsets of the logical segments, increasing; the last one is active (repl R-10). */
  readonly segments: readonly Offset[];
  /** Everything below is flushed (repl R-108). */
  readonly flushedOffset: Offset;
  /** Where producer snapshots were taken, increasing (txn T-110). Their content is written by the caller. */
  readonly snapshots: readonly Offset[];
  readonly cleaner: CleanerState;
}

/** A log that holds nothing and starts at `offset`. */
export function emptyAt(offset: Offset): LogState {
  return {
    ...{ logStartOffset: offset, endOffset: offset, epochs: [], segments: [offset], flushedOffset: offset },
    snapshots: [],
    cleaner: NEVER_CLEANED,
  };
}

/** Repl R-65: the epoch of a batch, or of a new leader, starts at `start`. */
export function withEpoch(state: LogState, epoch: number, start: Offset): LogState {
  const epochs = assignEpoch(state.epochs, epoch, start);
  return epochs === state.epochs ? state : { ...state, epochs };
}

/** More was appended. Every batch makes a state, and a spread whose fields are replaced costs V8 a call for each. */
export function endingAt(state: LogState, endOffset: Offset): LogState {
  const { logStartOffset, epochs, segments, flushedOffset, snapshots, cleaner } = state;
  return { logStartOffset, endOffset, epochs, segments, flushedOffset, snapshots, cleaner };
}

/** A snapshot was taken at the end. Of the older ones those at segment bases stay, where they are likeliest of use. */
export function withSnapshot(state: LogState): LogState {
  const { endOffset } = state;
  const bases = new Set(state.segments);
  const kept = state.snapshots.filter((offset) => offset < endOffset && bases.has(offset));
  return { ...state, snapshots: [...kept, endOffset] };
}

/** Repl R-20: nothing from `offset` on is left. `offset` is below the end. */
export function cutTo(state: LogState, offset: Offset): LogState {
  const segments = state.segments.filter((base, i) => i === 0 || base <= offset);
  return {
    logStartOffset: Math.min(state.logStartOffset, offset),
    endOffset: offset,
    epochs: cutEpochs(state.epochs, offset),
    segments: segments[0]! > offset ? [offset] : segments,
    flushedOffset: Math.min(state.flushedOffset, offset),
    snapshots: state.snapshots.filter((taken) => taken <= offset),
    cleaner: cutCleaner(state.cleaner, offset),
  };
}

/** The epoch entry of a leader that wrote nothing is gone (repl R-20, trap T-8). */
export function withoutEmptyEpoch(state: LogState): LogState {
  const epochs = cutEpochs(state.epochs, state.endOffset);
  return epochs === state.epochs ? state : { ...state, epochs };
}

/** Repl R-20: everything is gone, and the log starts again at `offset`. */
export function restartedAt(state: LogState, offset: Offset): LogState {
  return { ...emptyAt(offset), flushedOffset: Math.min(state.flushedOffset, offset) };
}

/** Repl: nothing below `offset` is part of the log any more. */
export function raisedTo(state: LogState, offset: Offset): LogState {
  return {
    ...state,
    logStartOffset: offset,
    epochs: raiseEpochs(state.epochs, offset),
    segments: state.segments.filter((_, i) => (state.segments[i + 1] ?? Infinity) > offset),
    snapshots: state.snapshots.filter((taken) => taken > offset),
  };
}

/** What to write so that the store, which holds `before`, holds `after`. Batches and snapshots are written by the caller. */
export function stateOps(keys: LogKeys, before: LogState | undefined, after: LogState): StoreOp[] {
  const ops: StoreOp[] = [];
  if (before?.logStartOffset !== after.logStartOffset || before.flushedOffset !== after.flushedOffset) {
    ops.push(...offsetOps(keys, after));
  }
  if (before?.epochs !== after.epochs) {
    const started = new Map(before?.epochs);
    for (const [epoch, start] of after.epochs) {
      if (started.get(epoch) !== start) ops.push({ type: 'put', key: keys.epoch(epoch), value: encodeOffset(start) });
      started.delete(epoch);
    }
    for (const epoch of started.keys()) ops.push({ type: 'del', key: keys.epoch(epoch) });
  }
  if (before?.segments !== after.segments) {
    const gone = new Set(before?.segments);
    for (const base of after.segments) {
      if (!gone.delete(base)) ops.push({ type: 'put', key: keys.segment(base), value: NOTHING });
    }
    for (const base of gone) ops.push({ type: 'del', key: keys.segment(base) });
  }
  if ((before?.cleaner ?? NEVER_CLEANED) !== after.cleaner) {
    ops.push({ type: 'put', key: keys.cleaner, value: encodeCleaner(after.cleaner) });
  }
  if (before !== undefined && before.snapshots !== after.snapshots) {
    const kept = new Set(after.snapshots);
    for (const offset of before.snapshots) {
      if (!kept.has(offset)) ops.push({ type: 'del', key: keys.snapshot(offset) });
    }
  }
  return ops;
}

const NOTHING = Buffer.alloc(0);

/** Log start and flushed offset as they stand. Also the harmless write of an operation that has nothing to write. */
export function offsetOps(keys: LogKeys, state: LogState): StoreOp[] {
  return [
    { type: 'put', key: keys.logStart, value: encodeOffset(state.logStartOffset) },
    { type: 'put', key: keys.flushed, value: encodeOffset(state.flushedOffset) },
  ];
}

/** Deletes batches, in writes of about `maxBytes`. */
export function batchDeletions(keys: LogKeys, batches: readonly IndexedBatch[], maxBytes: number): StoreOp[][] {
  const writes: StoreOp[][] = [];
  let sizeBytes = Infinity;
  for (const batch of batches) {
    const key = keys.batch(batch);
    if (sizeBytes + key.length > maxBytes) {
      writes.push([]);
      sizeBytes = 0;
    }
    writes.at(-1)!.push({ type: 'del', key });
    sizeBytes += key.length;
  }
  return writes;
}

/** Deletes what is left of a log without batches. Its identity goes last, so that half a deletion is still a log. */
export function deletionOps(keys: LogKeys, state: LogState): StoreOp[] {
  const all = [
    ...state.epochs.map(([epoch]) => keys.epoch(epoch)),
    ...state.segments.map((base) => keys.segment(base)),
    ...[keys.logStart, keys.flushed, keys.highWatermark, keys.cleaner, keys.identity],
  ];
  return all.map((key) => ({ type: 'del', key }));
}

/**
 * The atomic writes of a truncation that removes `removed` (in offset order) and ends in `after`. One if it fits,
 * else several from the top downwards, each of which leaves a valid shorter log.
 */
export function truncationWrites(
  keys: LogKeys,
  removed: readonly IndexedBatch[],
  change: { readonly before: LogState; readonly after: LogState; readonly ops?: readonly StoreOp[] },
  maxBytes: number,
): StoreOp[][] {
  const writes: StoreOp[][] = [];
  let before = change.before;
  let ops: StoreOp[] = [];
  let sizeBytes = 0;
  for (let i = removed.length - 1; i >= 0; i--) {
    const key = keys.batch(removed[i]!);
    ops.push({ type: 'del', key });
    sizeBytes += key.length;
    if (sizeBytes < maxBytes || i === 0) continue;
    const shorter = cutTo(before, removed[i]!.baseOffset);
    writes.push([...ops, ...stateOps(keys, before, shorter)]);
    before = shorter;
    ops = [];
    sizeBytes = 0;
  }
  ops.push(...stateOps(keys, before, change.after), ...(change.ops ?? []));
  if (ops.length === 0) ops.push(...offsetOps(keys, change.after));
  writes.push(ops);
  return writes;
}
