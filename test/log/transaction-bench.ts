// Transactions on the log of a test: short words for batches, markers and what readers see, and a dumb twin of what a log must
// know of them (txn T-125 to T-141).
import type { AppendInfo, AppendRefusal, PartitionLog } from '../../src/log/api.ts';
import { CONTROL, TRANSACTIONAL } from '../../src/log/attributes.ts';
import { decodeBatch } from '../../src/log/decode-batch.ts';
import type { ToVerify, VerificationGuard } from '../../src/log/transactions-api.ts';
import { batchHeaders } from '../../src/protocol/batch-header.ts';
import { ALL, NOW, batchOf, settings } from './bench.ts';

export interface Of {
  readonly producerId?: number;
  readonly epoch?: number;
  readonly sequence?: number;
  readonly count?: number;
  readonly guard?: VerificationGuard | undefined;
  readonly origin?: 'client' | 'coordinator';
  readonly transactional?: boolean;
  readonly segmentBytes?: number;
}

type Outcome = { readonly error: string | undefined; readonly info: () => AppendInfo | undefined };

/** Appends a transactional batch of producer 7, unless told otherwise; without waiting. */
export function data(log: PartitionLog, of: Of = {}): Outcome {
  const { producerId = 7, epoch: producerEpoch = 0, sequence: baseSequence = 0, count = 1, transactional = true } = of;
  const attributes = transactional ? TRANSACTIONAL : 0;
  const batch = batchOf(count, { attributes, producerId, producerEpoch, baseSequence });
  const config = settings(of.segmentBytes === undefined ? {} : { 'segment.bytes': of.segmentBytes });
  let info: AppendInfo | undefined;
  const append = { batch, leaderEpoch: 0, now: NOW, config, origin: of.origin ?? 'client' };
  const verified = of.guard === undefined ? append : { ...append, guard: of.guard };
  const refusal = log.appendAsLeader(verified, (appended) => (info = appended));
  return { error: refusal?.error, info: () => info };
}

/** Appends a batch without a producer. */
export function plain(log: PartitionLog, count = 1): Outcome {
  return data(log, { producerId: -1, epoch: -1, sequence: -1, transactional: false, count });
}

export interface MarkerOf {
  readonly producerId?: number;
  readonly epoch?: number;
  readonly coordinatorEpoch?: number;
  readonly version?: number;
  readonly segmentBytes?: number;
}

/** Appends a marker of producer 7, unless told otherwise; without waiting. */
export function marker(log: PartitionLog, type: 'commit' | 'abort', of: MarkerOf = {}): Outcome {
  const { producerId = 7, epoch: producerEpoch = 0, coordinatorEpoch = 0, version: transactionVersion = 0 } = of;
  let info: AppendInfo | undefined;
  const config = settings(of.segmentBytes === undefined ? {} : { 'segment.bytes': of.segmentBytes });
  const one = { type, producerId, producerEpoch, coordinatorEpoch, timestamp: NOW };
  const append = { marker: one, transactionVersion, leaderEpoch: 0, now: NOW, config };
  const refusal = log.appendMarker(append, (appended) => (info = appended));
  return { error: refusal?.error, info: () => info };
}

/** The guard of a verification that begins; fails if none is needed. */
export function guardOf(log: PartitionLog, of: Partial<ToVerify> = {}): VerificationGuard {
  const guard = log.guardFor({ producerId: 7, producerEpoch: 0, baseSequence: 0, version2: false, ...of });
  if (guard === undefined || 'error' in guard)
    throw new Error(`no guard: ${(guard as AppendRefusal | undefined)?.error}`);
  return guard;
}

/** Opens a transaction of a producer that was verified. */
export function begin(log: PartitionLog, of: Of = {}): Outcome {
  const { producerId = 7, epoch: producerEpoch = 0, sequence: baseSequence = 0 } = of;
  return data(log, { ...of, guard: guardOf(log, { producerId, producerEpoch, baseSequence }) });
}

/** Values that a read_committed consumer delivers of [from, LSO), in fetches of at most `maxBytes` (txn T-143). */
export function readCommitted(log: PartitionLog, from: number, maxBytes = ALL): number[] {
  const delivered: number[] = [];
  const bound = log.lastStableOffset;
  for (let position = from; position < bound;) {
    const { records, nextOffset } = log.read(position, bound, maxBytes, true);
    if (nextOffset === position) break;
    const queue = [...log.abortedIn(position, nextOffset)].sort((a, b) => a.firstOffset - b.firstOffset);
    const aborted = new Set<number>();
    let at = 0;
    for (const header of batchHeaders(records)) {
      while (queue.length > 0 && queue[0]!.firstOffset <= header.lastOffset) aborted.add(queue.shift()!.producerId);
      const batch = decodeBatch(records, at);
      at += header.sizeBytes;
      if (batch.kind !== 'records') throw new Error('not a readable batch');
      const isMarker = (header.attributes & CONTROL) !== 0;
      if (isMarker && batch.records[0]?.key?.readInt16BE(2) === 0) aborted.delete(header.producerId);
      const skipped = isMarker || ((header.attributes & TRANSACTIONAL) !== 0 && aborted.has(header.producerId));
      if (!skipped) delivered.push(...batch.records.map(({ offset }) => offset).filter((offset) => offset >= position));
    }
    position = nextOffset;
  }
  return delivered;
}

/** One batch as the twin knows it. */
export interface TwinBatch {
  readonly base: number;
  readonly last: number;
  readonly producerId: number;
  readonly what: 'data' | 'commit' | 'abort';
}

interface TwinTransaction {
  readonly producerId: number;
  readonly first: number;
  readonly offsets: number[];
  marker: number | undefined;
  aborted: boolean;
}

/** All transactions of a log with data, in the order of their first offsets. */
export function transactionsOf(batches: readonly TwinBatch[]): TwinTransaction[] {
  const found: TwinTransaction[] = [];
  for (const { base, last, producerId, what } of batches) {
    if (producerId < 0) continue;
    const open = found.find((one) => one.producerId === producerId && one.marker === undefined);
    const offsets = Array.from({ length: last - base + 1 }, (_, i) => base + i);
    if (what !== 'data') {
      if (open !== undefined) [open.marker, open.aborted] = [base, what === 'abort'];
    } else if (open !== undefined) open.offsets.push(...offsets);
    else found.push({ producerId, first: base, offsets, marker: undefined, aborted: false });
  }
  return found;
}

/** Txn T-127, spelled out. */
export function stableOffset(batches: readonly TwinBatch[], highWatermark: number): number {
  const pinned = transactionsOf(batches).filter(({ marker: at }) => at === undefined || at >= highWatermark);
  return Math.min(highWatermark, ...pinned.map(({ first }) => first));
}

/** Txn T-138, T-139, spelled out: [producer, first, last, last stable offset]. */
export function abortedEntries(batches: readonly TwinBatch[]): number[][] {
  const all = transactionsOf(batches);
  return all
    .filter(({ aborted }) => aborted)
    .sort((a, b) => a.marker! - b.marker!)
    .map(({ producerId, first, marker: at }) => {
      const open = all.filter((one) => one.first < at! && (one.marker ?? Infinity) > at!);
      return [producerId, first, at!, Math.min(at! + 1, ...open.map((one) => one.first))];
    });
}

/** INV-3: what a full scan of a read_committed consumer must deliver. */
export function committedOffsets(batches: readonly TwinBatch[], lastStableOffset: number): number[] {
  const hidden = new Set(transactionsOf(batches).flatMap(({ aborted, offsets }) => (aborted ? offsets : [])));
  return batches
    .filter(({ what }) => what === 'data')
    .flatMap(({ base, last }) => Array.from({ length: last - base + 1 }, (_, i) => base + i))
    .filter((offset) => offset < lastStableOffset && !hidden.has(offset));
}
