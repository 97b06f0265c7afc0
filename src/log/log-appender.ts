// Puts batches that were accepted into the store: as few atomic writes as their size and the segments allow, each with
// the epoch entries of its batches (repl ).
import { assert } from '../base/assert.ts';
import type { EpochMs, LeaderEpoch, Offset } from '../base/units.ts';
import type { StoreOp } from '../runtime/ports.ts';
import type { BatchHeader } from '../protocol/batch-header.ts';
import { indexed } from './batch-index.ts';
import type { IndexedBatch } from './batch-index.ts';
import type { LedgerContext, LogLedger } from './log-ledger.ts';
import { endingAt, withEpoch } from './log-state.ts';
import { activeSegment, mustRoll } from './segments.ts';
import type { AbortedEntry } from './transactions-api.ts';
import type { ActiveSegment, SegmentLimits } from './segments.ts';

/** Batches to append, back to back in `bytes`, which is ours to keep. */
export interface Append {
  readonly headers: readonly BatchHeader[];
  readonly bytes: Buffer;
  readonly role: 'leader' | 'follower';
  /** The replica's; on followers batches may carry older ones. */
  readonly leaderEpoch: LeaderEpoch;
  readonly now: EpochMs;
}

interface Arrival {
  readonly batch: IndexedBatch;
  readonly bytes: Buffer;
  readonly aborted: AbortedEntry | undefined;
}

type AppenderContext = Pick<LedgerContext, 'keys' | 'trace' | 'maxWriteBytes'>;

export class LogAppender {
  readonly #context: AppenderContext;
  readonly #ledger: LogLedger;
  #limits: SegmentLimits;
  #active: ActiveSegment;
  /** Where the last batch decided ends; 0 if there is none. */
  #previousEnd: Offset;

  constructor(context: AppenderContext, ledger: LogLedger, limits: SegmentLimits, now: EpochMs) {
    this.#context = context;
    this.#ledger = ledger;
    this.#limits = limits;
    this.#active = activeSegment(ledger.decided, ledger.index, now);
    this.#previousEnd = endOfLast(ledger);
  }

  configure(limits: SegmentLimits): void {
    this.#limits = limits;
  }

  /** Looks again at the end of the log after it was cut. */
  realign(now: EpochMs): void {
    this.#active = activeSegment(this.#ledger.decided, this.#ledger.index, now);
    this.#previousEnd = endOfLast(this.#ledger);
  }

  /** Begins a segment if a batch needs one: before anything else is decided of it (repl R-8). */
  rollFor(batch: Pick<IndexedBatch, 'sizeBytes' | 'lastOffset' | 'maxTimestamp'>, now: EpochMs): void {
    if (mustRoll(this.#active, batch, this.#limits, now)) this.#roll(this.#ledger.decided.endOffset, now);
  }

  /** Appends; `done` when all of it is counted. */
  append(append: Append, done: () => void): void {
    let group: Arrival[] = [];
    let groupBytes = 0;
    let at = 0;
    for (const header of append.headers) {
      const bytes = append.bytes.subarray(at, at + header.sizeBytes);
      const batch = indexed(header, this.#previousEnd, bytes);
      const roll = mustRoll(this.#active, batch, this.#limits, append.now);
      if (group.length > 0 && (roll || groupBytes + batch.sizeBytes > this.#context.maxWriteBytes)) {
        this.#write(group, append, () => undefined);
        [group, groupBytes] = [[], 0];
      }
      if (roll) this.#roll(batch.baseOffset, append.now);
      group.push({ batch, bytes, aborted: this.#ledger.applyBatch(batch, append.role) });
      groupBytes += batch.sizeBytes;
      at += batch.sizeBytes;
      this.#advance(batch);
    }
    this.#write(group, append, done);
  }

  #advance(batch: IndexedBatch): void {
    const { baseOffset, sizeBytes, firstTimestamp, createdAt } = this.#active;
    this.#active = {
      baseOffset,
      sizeBytes: sizeBytes + batch.sizeBytes,
      firstTimestamp: sizeBytes === 0 ? batch.maxTimestamp : firstTimestamp,
      createdAt,
    };
    this.#previousEnd = batch.lastOffset + 1;
  }

  /**
   * Begins a segment; the old one is flushed (repl R-10), and what is known of producers is written down (txn T-110).
   * Appends do not wait for that, they go in order behind it.
   */
  #roll(baseOffset: Offset, now: EpochMs): void {
    const { decided } = this.#ledger;
    const after = { ...decided, segments: [...decided.segments, baseOffset], flushedOffset: decided.endOffset };
    const { state, ops } = this.#ledger.snapshotted(after);
    this.#ledger.decide(state, { ops, sync: true }, () => undefined);
    this.#active = { baseOffset, sizeBytes: 0, firstTimestamp: -1, createdAt: now };
  }

  #write(arrivals: readonly Arrival[], append: Append, done: () => void): void {
    let after = this.#ledger.decided;
    for (const { batch } of arrivals) {
      assert(batch.baseOffset >= after.endOffset, 'repl R-6: batches do not overlap');
      after = endingAt(withEpoch(after, batch.leaderEpoch, batch.baseOffset), batch.lastOffset + 1);
    }
    const ops: StoreOp[] = arrivals.map(({ batch, bytes }) => ({
      type: 'put',
      key: this.#context.keys.batch(batch),
      value: bytes,
    }));
    for (const { aborted } of arrivals) if (aborted !== undefined) ops.push(this.#ledger.abortedOp(aborted));
    this.#ledger.decide(after, { ops }, () => {
      for (const { batch, bytes } of arrivals) this.#ledger.index.push(batch, bytes);
      const batches = arrivals.map(({ batch }) => batch);
      this.#context.trace.appended(append.role, append.leaderEpoch, batches, after.endOffset);
      for (const { aborted } of arrivals) if (aborted !== undefined) this.#ledger.countAborted(aborted);
      done();
    });
  }
}

function endOfLast(ledger: LogLedger): Offset {
  const last = ledger.index.at(-1);
  return last === undefined ? 0 : last.lastOffset + 1;
}
