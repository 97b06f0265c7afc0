// What a partition log offers to the replica that owns it. This is the contract; partition-log.ts implements it.
import type { DurationMs, EpochMs, LeaderEpoch, Offset } from '../base/units.ts';
import type { ErrorName } from '../protocol/errors.ts';
import type { TopicConfig } from '../protocol/config.ts';
import type { ProducerEntry } from './producer-entry.ts';
import type { TransactionLog, VerificationGuard } from './transactions-api.ts';

/** Where a leader epoch ends in a log (repl R-68). */
export interface EpochEndOffset {
  readonly epoch: LeaderEpoch;
  readonly endOffset: Offset;
}

/** What became of an append on the leader, once it is counted (LevelDB has accepted it). Offsets are the log's. */
export interface AppendInfo {
  readonly baseOffset: Offset;
  readonly lastOffset: Offset;
  /** Stamped time on a LogAppendTime topic, else -1. Of a duplicate: the timestamp it is stored with (wire W-73). */
  readonly logAppendTimeMs: EpochMs;
  /** True: it was in the log already, at these offsets, and nothing was appended (txn T-98). */
  readonly duplicate: boolean;
}

/** Why a batch was refused. Nothing was appended. */
export interface AppendRefusal {
  readonly error: ErrorName;
  readonly message: string;
  /** Records refused one by one (null key, timestamp). */
  readonly recordErrors: readonly { readonly batchIndex: number; readonly message: string }[];
}

export interface LeaderAppend {
  /** One record batch v2 as the client sent it (already unpacked by `unpackProduce`). Not kept, not changed. */
  readonly batch: Buffer;
  readonly leaderEpoch: LeaderEpoch;
  /** Broker wall clock. */
  readonly now: EpochMs;
  readonly config: TopicConfig;
  /** 'coordinator' skips the client-only checks of repl R-4. */
  readonly origin: 'client' | 'coordinator';
  /** Of a transactional batch that was verified (txn T-99, T-119). */
  readonly guard?: VerificationGuard;
}

/** Outcome of offering fetched bytes to a follower's log. */
export type FollowerAppend =
  /** Reserved; `done` of the call comes when it is counted. `lastOffset`/`lastEpoch` of what was taken. */
  | { readonly kind: 'appending'; readonly lastOffset: Offset; readonly lastEpoch: LeaderEpoch }
  /** Nothing to append (no bytes, or all dropped by repl R-6). `done` is not called. */
  | { readonly kind: 'nothing' }
  /** Bad CRC or malformed: back off and refetch. */
  | { readonly kind: 'corrupt'; readonly reason: string }
  /** Offsets do not fit (repl R-6): the partition fails until the next become-follower. */
  | { readonly kind: 'failed'; readonly reason: string };

export interface LogRead {
  /** Whole batches back to back, from the one that contains the offset. The log's own bytes: not to be changed. */
  readonly records: Buffer;
  /** Where a next read goes on: last offset returned + 1, or the offset asked for if nothing was. */
  readonly nextOffset: Offset;
}

export interface TimestampHit {
  readonly timestamp: EpochMs;
  readonly offset: Offset;
  readonly leaderEpoch: LeaderEpoch;
}

/** How a log is cleaned. */
export interface CleanSettings {
  /** delete.retention.ms: markers and tombstones stay for this long once they were cleaned around. */
  readonly deleteRetentionMs: DurationMs;
  /** min.cleanable.dirty.ratio: a log is cleaned if this part of it is new. */
  readonly minCleanableRatio: number;
  /** False: some replica may lack what is below the high watermark. Markers and tombstones stay for it (BUG-64). */
  readonly isEverywhere?: boolean;
}

/** How much of a log is kept; -1: no limit. */
export interface RetentionLimits {
  /** retention.ms: by the largest timestamp of a segment. */
  readonly retentionMs: DurationMs;
  /** retention.bytes. */
  readonly retentionBytes: number;
}

/** What a log tells of itself, each time later than the call that brought it about. */
export interface LogEvents {
  /** Everything below `offset` is flushed now: a segment was rolled, or somebody asked (repl ). */
  flushed(offset: Offset): void;
  /** The log that ended at `from` ends at `to` now, and the store has it (repl R-20). */
  cut(from: Offset, to: Offset): void;
}

/**
 * The log of one replica of one partition (repl sections 1, 5, 7; design section 4).
 *
 * Two ends: `reservedEndOffset` is given to the next append; `logEndOffset` is what the store has accepted and the only
 * one that readers, fetches and the high watermark know. `done` callbacks come later, in order, and not at all if the
 * store fails (then the node halts, repl R-114).
 */
export interface PartitionLog extends TransactionLog {
  readonly logStartOffset: Offset;
  readonly logEndOffset: Offset;
  readonly reservedEndOffset: Offset;
  readonly highWatermark: Offset;
  /** As far as records may be deleted: to the high watermark (repl R-19). */
  readonly deletableTo: Offset;
  /** Everything below is flushed (repl R-108). */
  readonly flushedOffset: Offset;
  /** (epoch, start) pairs, strictly increasing in both (repl R-65). */
  readonly epochs: readonly (readonly [LeaderEpoch, Offset])[];
  /** Latest epoch of the cache, undefined if it is empty. */
  readonly latestEpoch: LeaderEpoch | undefined;

  /**
   * Validates in the order of repl R-4 (b) to (e), R-8, txn T-97 to T-103, and reserves. Returns a refusal, or calls `done`
   * later: for a duplicate too, once what it repeats is counted.
   */
  appendAsLeader(append: LeaderAppend, done: (info: AppendInfo) => void): AppendRefusal | undefined;
  /** Repl. `records` were fetched from `fetchOffset` under `leaderEpoch`. */
  appendAsFollower(records: Buffer, fetchOffset: Offset, leaderEpoch: LeaderEpoch, done: () => void): FollowerAppend;
  /** Adds (epoch, logEndOffset) as a new leader does (repl R-65a), even if it never writes. Waits until settled. */
  assignLeaderEpoch(epoch: LeaderEpoch, done: () => void): void;

  /**
   * Whole batches from the one containing `offset`, up to `upTo` (exclusive), at most `maxBytes` but, if
   * `atLeastOne`, never less than one batch (repl ). `offset` must lie in [logStartOffset, logEndOffset].
   */
  read(offset: Offset, upTo: Offset, maxBytes: number, atLeastOne: boolean): LogRead;
  /** Base offset of the batch that holds `offset`; in a gap the next one; `offset` itself at the end (repl R-41). */
  positionOf(offset: Offset): Offset;
  /** Bytes available in [offset, upTo), for parked fetches (repl R-31). */
  bytesBetween(offset: Offset, upTo: Offset): number;
  /** Repl R-68 against this log's end; undefined if undefined. */
  endOffsetForEpoch(epoch: LeaderEpoch): EpochEndOffset | undefined;
  /** The latest epoch whose start is at or below `offset`. */
  epochAt(offset: Offset): LeaderEpoch | undefined;
  /** First record at or after a timestamp, below `bound`; undefined if none (repl R-37). */
  findByTimestamp(timestamp: EpochMs, bound: Offset): TimestampHit | undefined;
  /** The record with the largest timestamp; undefined if the log is empty. */
  findMaxTimestamp(): TimestampHit | undefined;

  /** What is known of a producer at the reserved end (txn T-90). */
  producer(producerId: number): ProducerEntry | undefined;
  /** Forgets producers that were silent for too long (txn T-109). */
  expireProducers(): void;

  /** Cleans the log below its last stable offset and its active segment (txn T-114). `done` says whether a pass ended. */
  clean(settings: CleanSettings, done: (cleaned: boolean) => void): void;

  /** Where the log would start if whole segments beyond these limits were deleted; nothing is (repl R-19). */
  retainedFrom(limits: RetentionLimits): Offset;

  /** Tells `on` from now on, and nobody else. */
  listen(on: LogEvents): void;
  /** Settings for the segments of a follower. The node's defaults hold until then; leaders pass theirs. */
  configure(config: TopicConfig): void;

  /** Sets the high watermark, clamped to [logStart, LEO] (repl R-48; followers may go down). Returns the value set. */
  setHighWatermark(value: Offset): Offset;
  /** Repl R-20. Waits until settled, then cuts for readers at once; the log takes no append until `done`. */
  truncateTo(offset: Offset, done: () => void): void;
  /** Wipes everything and starts at `offset` (repl ). */
  truncateFullyAndStartAt(offset: Offset, done: () => void): void;
  /** Raises the log start (repl ); lower or equal values change nothing. */
  raiseLogStart(offset: Offset, done: () => void): void;
  /**
   * Runs `ready` when nothing is reserved beyond the log end (at once if so). From the call on, appends are refused
   * until `ready` has returned: truncation, delete and a change of leader epoch wait here (design section 4).
   */
  whenSettled(ready: () => void): void;
  /** Makes everything below the log end durable against power loss. Also `done` if the log is deleted meanwhile. */
  flush(done: () => void): void;
  /** Deletes everything of this log from the store. */
  delete(done: () => void): void;
}
