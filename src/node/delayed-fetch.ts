// One parked fetch: it waits until enough is there, something changed, or its time is up (repl R-31). What it reads then
// is fetches.ts's business.
import type { LeaderEpoch, Offset } from '../base/units.ts';
import { NO_EPOCH } from '../base/units.ts';
import type { FetchPartition } from '../protocol/generated/index.ts';
import type { Timer } from '../runtime/ports.ts';
import type { Partition } from './partition.ts';
import type { Watchers } from './watchers.ts';

/** One partition of a parked fetch, as it passed the checks. */
export interface Wanted {
  readonly replica: Partition;
  readonly at: FetchPartition;
  readonly leaderEpoch: LeaderEpoch;
  /** Whether the replica led: a consumer may also wait at a follower (repl R-32). */
  readonly isLeader: boolean;
}

interface DelayedFetchOptions {
  readonly wanted: readonly Wanted[];
  readonly minBytes: number;
  /** Up to where the asker may read, as of now. */
  bound(replica: Partition): Offset;
  /** Behind it nobody waits: the log was cut, or the high watermark is behind (repl R-31). At or above the bound. */
  end(replica: Partition): Offset;
  readonly parked: Watchers<Partition, DelayedFetch>;
  /** Fires at maxWaitMs. */
  readonly timer: Timer;
  /** Reads again and answers. */
  complete(): void;
}

export class DelayedFetch {
  readonly #options: DelayedFetchOptions;
  #waiting = true;

  constructor(options: DelayedFetchOptions) {
    this.#options = options;
    for (const { replica } of options.wanted) options.parked.add(replica, this);
  }

  /** Something happened on `woken`: answers if the wait is over. */
  tryComplete(woken: Partition): void {
    if (this.#waiting && this.#isOver(woken)) this.complete();
  }

  /** Answers now. */
  complete(): void {
    if (!this.#waiting) return;
    this.withdraw();
    this.#options.complete();
  }

  /** Is gone without an answer. */
  withdraw(): void {
    if (!this.#waiting) return;
    this.#waiting = false;
    this.#options.timer.cancel();
    for (const { replica } of this.#options.wanted) this.#options.parked.delete(replica, this);
  }

  #isOver(woken: Partition): boolean {
    const { wanted, minBytes } = this.#options;
    let available = 0;
    for (const one of wanted) if (one.replica === woken) available += this.#available(one);
    if (available >= minBytes) return true;
    for (const one of wanted) {
      if (one.replica !== woken) available += this.#available(one);
      if (available >= minBytes) return true;
    }
    return false;
  }

  /** Bytes that the partition would add; endless if it must be looked at again: changed, truncated or diverging. */
  #available({ replica, at, leaderEpoch, isLeader }: Wanted): number {
    if (replica.isLeader !== isLeader || replica.leaderEpoch !== leaderEpoch) return Infinity;
    if (at.fetchOffset > this.#options.end(replica)) return Infinity;
    const bound = this.#options.bound(replica);
    if (at.lastFetchedEpoch !== NO_EPOCH) {
      const end = replica.log.endOffsetForEpoch(at.lastFetchedEpoch);
      if (end === undefined || end.epoch < at.lastFetchedEpoch || end.endOffset < at.fetchOffset) return Infinity;
    }
    return Math.min(replica.log.bytesBetween(at.fetchOffset, bound), at.partitionMaxBytes);
  }
}
