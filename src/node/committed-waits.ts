// Waits until the high watermark covers an offset, in the leader epoch in which it was appended, and not for ever. For what a
// broker appends itself: records of coordinators, and markers.
import type { DurationMs, LeaderEpoch, Offset } from '../base/units.ts';
import type { ErrorName } from '../protocol/errors.ts';
import type { Clock, Timer } from '../runtime/ports.ts';
import type { Partition } from './partition.ts';
import { acksAllOutcome } from './produce-result.ts';
import { Watchers } from './watchers.ts';

/** What is waited for. */
export interface CommittedAt {
  readonly leaderEpoch: LeaderEpoch;
  /** Exclusive: everything below is to be committed. */
  readonly offset: Offset;
  readonly timeoutMs: DurationMs;
  /** True: in-sync replicas are counted once more, as acks=all does (repl R-15). */
  readonly minIsr: boolean;
  /** True: whatever the role and its epoch, as if a high watermark were of whoever waits for it (BUG-15). */
  readonly anyEpoch?: boolean;
}

interface Waiting {
  readonly at: CommittedAt;
  readonly timer: Timer;
  readonly end: (error: ErrorName) => void;
}

export class CommittedWaits {
  readonly #clock: Clock;
  readonly #waiting = new Watchers<Partition, Waiting>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Calls `done` once, never inside this call: NONE, NOT_LEADER_OR_FOLLOWER, UNKNOWN_TOPIC_OR_PARTITION once the topic is
   * deleted, NOT_ENOUGH_REPLICAS_AFTER_APPEND, or REQUEST_TIMED_OUT.
   */
  wait(replica: Partition, at: CommittedAt, done: (error: ErrorName) => void): void {
    let over = false;
    const end = (error: ErrorName): void => {
      if (over) return;
      over = true;
      waiting.timer.cancel();
      this.#waiting.delete(replica, waiting);
      done(error);
    };
    const timer = this.#clock.after(Math.max(0, at.timeoutMs), () => end('REQUEST_TIMED_OUT'));
    const waiting: Waiting = { at, timer, end };
    this.#waiting.add(replica, waiting);
    if (outcome(replica, at) !== undefined) this.#clock.after(0, () => this.look(replica));
  }

  /** The high watermark or the role of a replica changed. */
  look(replica: Partition): void {
    for (const { at, end } of this.#waiting.of(replica)) {
      const error = outcome(replica, at);
      if (error !== undefined) end(error);
    }
  }

  /** This broker stops: what is undecided stays unknown. */
  endAll(): void {
    for (const { end } of this.#waiting.all()) end('NOT_LEADER_OR_FOLLOWER');
  }
}

/** Undefined while it must wait. */
function outcome(replica: Partition, at: CommittedAt): ErrorName | undefined {
  const { leaderEpoch, offset, minIsr, anyEpoch } = at;
  const role = replica.leading;
  const own =
    role?.leaderEpoch === leaderEpoch
      ? { maximalIsrSize: role.maximalIsr.length, minIsr: minIsr ? role.minIsrForAcks : 0 }
      : undefined;
  const leading = anyEpoch === true ? { maximalIsrSize: 0, minIsr: 0 } : own;
  const { isKnown, log } = replica;
  return acksAllOutcome({ lastOffset: offset - 1, highWatermark: log.highWatermark, leading, isKnown });
}
