// The log of one replica on the node's store: `PartitionLog` put together from the rules in the files beside this one.
// Nothing is decided here about batches, epochs, segments or atomic writes.
import { assert } from '../base/assert.ts';
import { keepBytes } from '../base/keep-bytes.ts';
import type { EpochMs, LeaderEpoch, Offset } from '../base/units.ts';
import { readBatchHeader } from '../protocol/batch-header.ts';
import type { TopicConfig } from '../protocol/config.ts';
import type { Clock, StoreOp } from '../runtime/ports.ts';
import type { AppendInfo, AppendRefusal, CleanSettings, EpochEndOffset, FollowerAppend, LeaderAppend } from './api.ts';
import type { LogEvents, LogRead, PartitionLog, RetentionLimits, TimestampHit } from './api.ts';
import { isTransactional } from './attributes.ts';
import { cleanLog } from './clean-log.ts';
import { endOffsetFor, epochAt, latestEpoch, type EpochCache } from './epoch-cache.ts';
import { encodeMarker } from './control-batch.ts';
import { judgeProducer } from './judge-producer.ts';
import { judgeReplicated } from './judge-replicated.ts';
import { isOpenAt, judgeMarker, markerRules } from './judge-transaction.ts';
import { decideFollowerAppend } from './follower-append.ts';
import type { LoadedLog } from './load-log.ts';
import { LogAppender } from './log-appender.ts';
import { LogLedger, type Change, type LedgerContext } from './log-ledger.ts';
import { offsetOps, withEpoch, type LogState } from './log-state.ts';
import { isBelowEpoch, type ProducerEntry } from './producer-entry.ts';
import { retainedFrom } from './retention.ts';
import type { SegmentLimits } from './segments.ts';
import { readBatches } from './read-batches.ts';
import { stampBatch } from './stamp-batch.ts';
import { storedBatch } from './stored-batch.ts';
import { firstAtOrAfter, largest } from './timestamps.ts';
import type { AbortedEntry, MarkerAppend, ToVerify, VerificationGuard } from './transactions-api.ts';
import { checkBehindEpoch, refuse, validateBatch } from './validate-batch.ts';
import { Verifications } from './verifications.ts';

/** What a log is given by the manager that opens it. */
export interface LogContext extends LedgerContext {
  /** transaction.partition.verification.enable (txn T-124). */
  readonly verificationEnabled: boolean;
  readonly clock: Clock;
  /** Of followers, until `configure`. */
  readonly segmentLimits: SegmentLimits;
  /** Told when the log's deletion begins, and when it is gone from the store. */
  readonly deletion: (stage: 'begun' | 'done') => void;
}

const BUSY = 'the log is being truncated or deleted, or waits for that or for a new leader epoch';
const ignore = (): void => undefined;

export class StoredLog implements PartitionLog {
  readonly #context: LogContext;
  readonly #ledger: LogLedger;
  readonly #appender: LogAppender;
  readonly #verifications = new Verifications();

  constructor(context: LogContext, loaded: LoadedLog) {
    this.#context = context;
    this.#ledger = new LogLedger(context, loaded);
    this.#appender = new LogAppender(context, this.#ledger, context.segmentLimits, context.clock.wallTime());
  }

  get logStartOffset(): Offset {
    return this.#ledger.counted.logStartOffset;
  }
  get logEndOffset(): Offset {
    return this.#ledger.counted.endOffset;
  }
  get reservedEndOffset(): Offset {
    return this.#ledger.decided.endOffset;
  }
  get highWatermark(): Offset {
    return this.#ledger.highWatermark;
  }
  get deletableTo(): Offset {
    return this.#ledger.deletableTo;
  }
  get lastStableOffset(): Offset {
    return this.#ledger.lastStableOffset;
  }
  get firstUnstableOffset(): Offset | undefined {
    return this.#ledger.firstUnstableOffset;
  }
  get flushedOffset(): Offset {
    return this.#ledger.counted.flushedOffset;
  }
  get epochs(): EpochCache {
    return this.#ledger.counted.epochs;
  }
  get latestEpoch(): LeaderEpoch | undefined {
    return latestEpoch(this.#ledger.counted.epochs);
  }

  appendAsLeader(append: LeaderAppend, done: (info: AppendInfo) => void): AppendRefusal | undefined {
    const { batch, leaderEpoch, now, config } = append;
    if (this.#ledger.gate.shut) return refuse('NOT_LEADER_OR_FOLLOWER', BUSY);
    const valid = validateBatch(append);
    if ('error' in valid) return valid;
    const { decided } = this.#ledger;
    assert((latestEpoch(decided.epochs) ?? -1) <= leaderEpoch, 'repl R-5: leader epochs in a log never decrease');
    const refusal = checkBehindEpoch(append);
    if (refusal !== undefined) return this.#withoutAppend(leaderEpoch, refusal);
    const { logAppendTimeMs, attributes, maxTimestamp } = valid;
    const stamp = { baseOffset: decided.endOffset, leaderEpoch, attributes, maxTimestamp };
    const bytes = stampBatch(batch, valid.header, stamp);
    const header = readBatchHeader(bytes)!;
    this.#appender.configure(config);
    this.#appender.rollFor(header, now);
    const { producers, index } = this.#ledger;
    const judged = { producers, index, decided: this.#ledger.decided, verifications: this.#verifications };
    const verdict = judgeProducer(header, append, judged, this.#context);
    if (verdict.kind === 'refused') return this.#withoutAppend(leaderEpoch, { ...verdict, recordErrors: [] });
    if (verdict.kind === 'duplicate') {
      const { lastOffset, offsetDelta, timestamp } = verdict.of;
      const info = { baseOffset: lastOffset - offsetDelta, lastOffset, logAppendTimeMs: timestamp, duplicate: true };
      this.#withoutAppend(leaderEpoch, undefined, () => done(info));
      return undefined;
    }
    if (isTransactional(header.attributes)) this.#verifications.batchAppended(header.producerId);
    this.#appender.append({ headers: [header], bytes, role: 'leader', leaderEpoch, now }, () =>
      done({ baseOffset: header.baseOffset, lastOffset: header.lastOffset, logAppendTimeMs, duplicate: false }),
    );
    return undefined;
  }

  appendMarker(append: MarkerAppend, done: (info: AppendInfo) => void): AppendRefusal | undefined {
    const { marker, transactionVersion, leaderEpoch, now } = append;
    if (this.#ledger.gate.shut) return refuse('NOT_LEADER_OR_FOLLOWER', BUSY);
    const known = this.#ledger.producers.of(marker.producerId);
    const refused = judgeMarker(known, marker, transactionVersion, markerRules(this.#context));
    if (refused !== undefined) return this.#withoutAppend(leaderEpoch, { ...refused, recordErrors: [] });
    const { decided } = this.#ledger;
    assert((latestEpoch(decided.epochs) ?? -1) <= leaderEpoch, 'repl R-5: leader epochs in a log never decrease');
    const bytes = encodeMarker(marker, { baseOffset: decided.endOffset, leaderEpoch });
    const header = readBatchHeader(bytes)!;
    const { baseOffset } = header;
    this.#appender.configure(append.config);
    this.#appender.rollFor(header, now);
    this.#verifications.markerAppended(marker.producerId, marker.producerEpoch);
    this.#appender.append({ headers: [header], bytes, role: 'leader', leaderEpoch, now }, () =>
      done({ baseOffset, lastOffset: baseOffset, logAppendTimeMs: -1, duplicate: false }),
    );
    return undefined;
  }

  guardFor(batch: ToVerify): VerificationGuard | AppendRefusal | undefined {
    const known = this.#ledger.producers.of(batch.producerId);
    const fenced = this.#context.safeguard('epoch.produceFence') ? isBelowEpoch(known, batch) : undefined;
    if (fenced !== undefined) return { ...fenced, recordErrors: [] };
    if (isOpenAt(known, batch.producerEpoch, this.#context)) return undefined;
    return this.#verifications.begin(batch, this.#context.clock.wallTime());
  }

  abortedIn(from: Offset, upTo: Offset): readonly AbortedEntry[] {
    return this.#ledger.aborted.overlapping(from, upTo);
  }

  producers(): ReadonlyMap<number, ProducerEntry> {
    return this.#ledger.producers.all();
  }

  /**
   * Nothing is appended, but the epoch entry is made before the checks that say so, and stays (repl R-8). `counted` comes
   * when everything reserved until now is counted: what a duplicate repeats may still be under way.
   */
  #withoutAppend(
    leaderEpoch: LeaderEpoch,
    refusal: AppendRefusal | undefined,
    counted: () => void = ignore,
  ): AppendRefusal | undefined {
    const { decided } = this.#ledger;
    this.#ledger.decide(withEpoch(decided, leaderEpoch, decided.endOffset), {}, counted);
    return refusal;
  }

  appendAsFollower(records: Buffer, fetchOffset: Offset, leaderEpoch: LeaderEpoch, done: () => void): FollowerAppend {
    // Not 'nothing': then the high watermark of the answer would be taken before the truncation (BUG-06).
    if (this.#ledger.gate.shut) return { kind: 'corrupt', reason: BUSY };
    const newest = this.#context.safeguard('fetch.epochFence') ? leaderEpoch : Infinity;
    const offered = decideFollowerAppend({ records, fetchOffset, leaderEpoch: newest }, this.#ledger.decided);
    const taken = judgeReplicated(offered, this.#ledger.producers, this.#context);
    if (taken.kind !== 'taken') return taken;
    if (taken.restartAt !== undefined) {
      this.#ledger.gate.enter();
      this.#restartAt(taken.restartAt, () => this.#ledger.gate.leave(ignore));
    }
    const { batches: headers } = taken;
    const now = this.#context.clock.wallTime();
    this.#appender.append({ headers, bytes: keepBytes(taken.bytes), role: 'follower', leaderEpoch, now }, done);
    const { lastOffset, leaderEpoch: lastEpoch } = headers.at(-1)!;
    return { kind: 'appending', lastOffset, lastEpoch };
  }

  assignLeaderEpoch(epoch: LeaderEpoch, done: () => void): void {
    this.#ledger.gate.whenSettled(() => {
      const { decided } = this.#ledger;
      assert((latestEpoch(decided.epochs) ?? -1) <= epoch, 'repl R-65: a leader epoch is assigned in order');
      this.#verifications.clear();
      this.#ledger.decide(withEpoch(decided, epoch, decided.endOffset), {}, done);
    });
  }

  listen(on: LogEvents): void {
    this.#ledger.listen(on);
  }

  configure(config: TopicConfig): void {
    this.#appender.configure(config);
  }

  read(offset: Offset, upTo: Offset, maxBytes: number, atLeastOne: boolean): LogRead {
    assert(offset >= this.logStartOffset && offset <= this.logEndOffset, 'repl R-24: reads stay inside the log');
    const bytesAt = (place: number): Buffer => this.#bytesAt(place);
    const bounds = { offset, upTo: Math.min(upTo, this.logEndOffset), maxBytes, atLeastOne };
    return readBatches(this.#ledger.index, bytesAt, bounds);
  }

  #bytesAt(place: number): Buffer {
    const { index } = this.#ledger;
    return index.bytesAt(place) ?? storedBatch(this.#context, index.at(place)!);
  }

  positionOf(offset: Offset): Offset {
    const { index } = this.#ledger;
    return index.at(index.find(offset))?.baseOffset ?? offset;
  }

  bytesBetween(offset: Offset, upTo: Offset): number {
    const { index } = this.#ledger;
    return index.sizeBetween(index.find(offset), index.find(upTo));
  }

  endOffsetForEpoch(epoch: LeaderEpoch): EpochEndOffset | undefined {
    return endOffsetFor(this.epochs, epoch, this.logEndOffset, this.#context.safeguard('trunc.epochWalk'));
  }

  epochAt(offset: Offset): LeaderEpoch | undefined {
    return epochAt(this.epochs, offset);
  }

  findByTimestamp(timestamp: EpochMs, bound: Offset): TimestampHit | undefined {
    const hit = firstAtOrAfter(this.#searchable(), timestamp);
    return hit !== undefined && hit.offset < bound ? hit : undefined;
  }

  findMaxTimestamp(): TimestampHit | undefined {
    return largest(this.#searchable());
  }

  #searchable() {
    const { index, counted } = this.#ledger;
    return { index, logStartOffset: counted.logStartOffset, bytesAt: (place: number) => this.#bytesAt(place) };
  }

  setHighWatermark(value: Offset): Offset {
    return this.#ledger.setHighWatermark(value);
  }

  truncateTo(offset: Offset, done: () => void): void {
    this.#ledger.gate.alone((finish) => {
      this.#ledger.truncateTo(offset, () => finish(done));
      this.#appender.realign(this.#context.clock.wallTime());
    });
  }

  truncateFullyAndStartAt(offset: Offset, done: () => void): void {
    this.#ledger.gate.alone((finish) => this.#restartAt(offset, () => finish(done)));
  }

  #restartAt(offset: Offset, written: () => void): void {
    this.#ledger.restartAt(offset, written);
    this.#appender.realign(this.#context.clock.wallTime());
  }

  raiseLogStart(offset: Offset, done: () => void): void {
    this.#unlessTaken(() => {
      if (offset <= this.logStartOffset) return this.#ledger.decide(this.#ledger.decided, {}, done);
      assert(offset <= this.deletableTo, 'repl R-19: the log start never passes the high watermark');
      this.#ledger.raise(offset, done);
    });
  }

  whenSettled(ready: () => void): void {
    this.#ledger.gate.whenSettled(ready);
  }

  flush(done: () => void): void {
    this.#flushWith((state) => ({ state, ops: [] }), done);
  }

  producer(producerId: number): ProducerEntry | undefined {
    return this.#ledger.producers.of(producerId);
  }

  expireProducers(): void {
    const { clock, producerIdExpirationMs, trace } = this.#context;
    const now = clock.wallTime();
    this.#verifications.expire(now, producerIdExpirationMs);
    const expired = this.#ledger.producers.expire(now, producerIdExpirationMs);
    if (expired.length > 0) trace.producersExpired(expired);
  }

  clean(settings: CleanSettings, done: (cleaned: boolean) => void): void {
    cleanLog({ ...this.#context, ledger: this.#ledger, bytesOf: (place) => this.#bytesAt(place) }, settings, done);
  }

  retainedFrom(limits: RetentionLimits): Offset {
    const { counted, index, deletableTo } = this.#ledger;
    return retainedFrom(counted, index, { deletableTo, now: this.#context.clock.wallTime(), limits });
  }

  /** Flushes the log and writes down what is known of producers, for a clean stop (repl R-109, txn T-110). */
  close(done: () => void): void {
    this.#flushWith((state) => this.#ledger.snapshotted(state), done);
  }

  #flushWith(more: (flushed: LogState) => Change, done: () => void): void {
    const flush = (): void => {
      const { decided } = this.#ledger;
      const { state, ops } = more({ ...decided, flushedOffset: decided.endOffset });
      this.#ledger.decide(state, { ops, sync: true }, done);
    };
    this.#unlessTaken(flush, () => this.#context.clock.after(0, done));
  }

  delete(done: () => void): void {
    this.#ledger.gate.alone((finish) => {
      if (this.#ledger.gate.closed) {
        this.#context.clock.after(0, () => finish(done));
        return;
      }
      this.#context.deletion('begun');
      this.#ledger.delete(() => {
        this.#context.deletion('done');
        finish(done);
      });
    });
  }

  /** The offset checkpoints of this log (repl R-108). Both are written when they change; this repeats them. */
  checkpointOps(): StoreOp[] {
    return offsetOps(this.#context.keys, this.#ledger.decided);
  }

  /** Runs at once unless the log is just being truncated; not at all if it is deleted: then it has come to nothing. */
  #unlessTaken(run: () => void, deleted: () => void = ignore): void {
    const { gate } = this.#ledger;
    const unlessDeleted = () => (gate.closed ? deleted() : run());
    if (gate.taken) gate.whenSettled(unlessDeleted);
    else unlessDeleted();
  }
}
