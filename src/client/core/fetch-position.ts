// Where a consumer stands in one partition and what has to happen before it may read on: find a position, prove the one it
// has (repl R-36), or nothing. Asks nobody itself; every answer is checked against `version`, so that late ones are ignored.
import { assert } from '../../base/assert.ts';
import type { InstantMs, LeaderEpoch, NodeId, Offset, TopicPartition } from '../../base/units.ts';
import { NO_EPOCH, NO_LEADER, NO_OFFSET } from '../../base/units.ts';
import type { FetchedRecords } from './fetched-records.ts';

/** Where to begin when there is no position. */
export type ResetStrategy = 'earliest' | 'latest' | 'none';

/** Why a position was moved by something other than reading. */
export type PositionCause = 'seek' | 'start' | 'reset' | 'truncated';

/**
 * `wait`: somebody outside says where to begin. `reset`: ListOffsets must find a position. `validate`:
 * OffsetsForLeaderEpoch must prove it. `fetch`: read on.
 */
export type FetchState = 'wait' | 'reset' | 'validate' | 'fetch';

/** Hears of every move that is not reading. Offsets are -1 for "none". */
export type PositionListener = (of: TopicPartition, why: PositionCause, from: Offset, to: Offset) => void;

export class FetchPosition implements TopicPartition {
  readonly topic: string;
  readonly partition: number;
  readonly #listener: PositionListener;
  #state: FetchState = 'reset';
  #strategy: ResetStrategy;
  #cause: PositionCause = 'start';
  #offset: Offset = NO_OFFSET;
  #offsetEpoch: LeaderEpoch = NO_EPOCH;
  #version = 0;
  #readReplica: { readonly node: NodeId; readonly until: InstantMs } | undefined;
  /** As of the newest metadata that was looked at. */
  leader: NodeId = NO_LEADER;
  leaderEpoch: LeaderEpoch = NO_EPOCH;
  /** Fetched and not yet given to the application. */
  buffered: FetchedRecords | undefined;
  /** High watermark of the last fetch answer; -1 unknown. May go backwards (repl R-51). */
  highWatermark: Offset = NO_OFFSET;
  /** The leader epoch that the answer was fenced with (repl R-24); -1: unknown, or a follower gave it. */
  highWatermarkEpoch: LeaderEpoch = NO_EPOCH;
  /** Last stable offset likewise: the bound of a read_committed reader (txn T-133). */
  lastStableOffset: Offset = NO_OFFSET;
  /** Neither fetched nor delivered, by wish of the application or because it is about to be given up. */
  paused = false;
  /** A lookup or fetch of this partition is under way. */
  underWay = false;
  /** Failures in a row, and not before when the next try. */
  failureCount = 0;
  retryAt: InstantMs = 0;

  constructor(of: TopicPartition, strategy: ResetStrategy, listener: PositionListener) {
    this.topic = of.topic;
    this.partition = of.partition;
    this.#strategy = strategy;
    this.#listener = listener;
  }

  get state(): FetchState {
    return this.#state;
  }
  /** Whether it stands somewhere, proven or not. */
  get hasPosition(): boolean {
    return this.#state === 'validate' || this.#state === 'fetch';
  }
  /** Where a reset goes. Meaningful in state `reset`. */
  get strategy(): ResetStrategy {
    return this.#strategy;
  }
  /** Offset of the next record to deliver; -1 before there is a position. */
  get offset(): Offset {
    return this.#offset;
  }
  /** Leader epoch of the record before `offset`, as far as known; -1 unknown. */
  get offsetEpoch(): LeaderEpoch {
    return this.#offsetEpoch;
  }
  /** Changes whenever an answer that is under way would no longer apply. */
  get version(): number {
    return this.#version;
  }

  /** The replica that the leader said to read from instead (repl R-35); undefined: the leader itself, or its word is too old. */
  readReplica(now: InstantMs): NodeId | undefined {
    if (this.#readReplica !== undefined && now > this.#readReplica.until) this.#readReplica = undefined;
    return this.#readReplica?.node;
  }

  /** The leader says to read from `node`. The same word once more does not make it last longer. */
  readFrom(node: NodeId, until: InstantMs): void {
    if (this.#readReplica?.node !== node) this.#readReplica = { node, until };
  }

  /** Back to the leader. False if it was asked anyway. */
  leaveReadReplica(): boolean {
    const left = this.#readReplica !== undefined;
    this.#readReplica = undefined;
    return left;
  }

  /** Somebody outside will say where to begin, with `seek` or `requestReset`: committed offsets of a group. */
  awaitStart(): void {
    this.#enter('wait');
  }

  /** Somebody outside says where to begin: what a group has committed. With an epoch as in `seek`. */
  start(offset: Offset, offsetEpoch: LeaderEpoch = NO_EPOCH): void {
    assert(this.#state === 'wait', 'a start is told only to who waits for it');
    this.#moveTo(offset, offsetEpoch, 'start');
    this.#state = offsetEpoch === NO_EPOCH ? 'fetch' : 'validate';
  }

  /** The application goes to an offset. With the epoch of the record before it, the position is validated first. */
  seek(offset: Offset, offsetEpoch: LeaderEpoch = NO_EPOCH): void {
    this.#moveTo(offset, offsetEpoch, 'seek');
    this.#state = offsetEpoch === NO_EPOCH ? 'fetch' : 'validate';
  }

  /** The position is to be looked up. It is forgotten only when the new one is there. */
  requestReset(strategy: ResetStrategy, cause: PositionCause): void {
    this.#strategy = strategy;
    this.#cause = cause;
    this.#enter('reset');
  }

  /** The lookup found where to go. */
  reset(offset: Offset, offsetEpoch: LeaderEpoch): void {
    assert(this.#state === 'reset', 'repl R-36: a position is reset only if that was asked for');
    this.#moveTo(offset, offsetEpoch, this.#cause);
    this.#state = 'fetch';
  }

  /**
   * Metadata names this leader. A leader epoch other than the one the position was read under means that the log may have
   * been cut: the position must be proven before reading on, if it has an epoch and `validates` is on (repl R-36).
   */
  onLeader(leader: NodeId, leaderEpoch: LeaderEpoch, validates: boolean): void {
    const another = leaderEpoch !== this.leaderEpoch;
    if (another || leader !== this.leader) this.#readReplica = undefined;
    this.leader = leader;
    this.leaderEpoch = leaderEpoch;
    if (another && validates && this.hasPosition && this.#offsetEpoch !== NO_EPOCH) this.#enter('validate');
  }

  /** The position is proven. */
  validated(): void {
    assert(this.#state === 'validate', 'repl R-36: only a position in doubt is validated');
    this.#enter('fetch');
  }

  /** The log was cut below the position: go on where it ends now. */
  truncated(endOffset: Offset, epoch: LeaderEpoch): void {
    assert(endOffset < this.#offset, 'repl R-36: a truncation lies below the position');
    this.#moveTo(endOffset, epoch, 'truncated');
    this.#state = 'fetch';
  }

  /** Records up to `offset` were delivered; `epoch` is that of the last batch. */
  consumed(offset: Offset, epoch: LeaderEpoch): void {
    assert(this.#state === 'fetch' && offset >= this.#offset, 'repl R-36: reading moves a position forwards');
    this.#offset = offset;
    this.#offsetEpoch = epoch;
    this.#version += 1;
  }

  /** An answer helped: the next failure starts the backoff anew. */
  succeeded(): void {
    this.failureCount = 0;
    this.retryAt = 0;
  }

  #enter(state: FetchState): void {
    this.#state = state;
    this.#version += 1;
    this.buffered = undefined;
    this.succeeded();
  }

  #moveTo(offset: Offset, offsetEpoch: LeaderEpoch, cause: PositionCause): void {
    const from = this.#offset;
    this.#offset = offset;
    this.#offsetEpoch = offsetEpoch;
    this.#enter(this.#state);
    this.#listener({ topic: this.topic, partition: this.partition }, cause, from, offset);
  }
}
