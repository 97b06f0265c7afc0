// One partition inside a fetcher: where it stands, and what it does with its leader's answers (repl to
// The stream and its timing are fetcher.ts's.
import type { LeaderEpoch, Offset } from '../base/units.ts';
import { NO_EPOCH } from '../base/units.ts';
import type { FetchedPartition } from '../protocol/generated/index.ts';
import type { FetchStart, NodeContext } from './context.ts';
import type { Ask } from './fetch-requests.ts';
import { epochToCompare } from './follow-start.ts';
import { askLeaderEnds } from './leader-ends.ts';
import type { Partition } from './partition.ts';
import { truncationOffset } from './truncation.ts';

/** busy: its log is being changed. asking: repl R-74 is under way. failed: until a new leader epoch. */
type Phase = 'fetching' | 'busy' | 'asking' | 'backing-off' | 'failed' | 'removed';

/** What a partition tells its fetcher. */
export interface FetchedReplicaEvents {
  /** It can be fetched again: the next request should list it. */
  ready(): void;
  /** A change of its log began, or ended, that the next request waits for. */
  storing(delta: 1 | -1): void;
}

export class FetchedReplica {
  readonly replica: Partition;
  readonly leaderEpoch: LeaderEpoch;
  readonly #context: NodeContext;
  readonly #at: FetchStart;
  readonly #events: FetchedReplicaEvents;
  #offset: Offset;
  #lastFetchedEpoch: LeaderEpoch;
  /** The leader has compared epochs and found no difference; or this replica takes that for granted. */
  #compared: boolean;
  #phase: Phase = 'fetching';

  constructor(context: NodeContext, replica: Partition, at: FetchStart, events: FetchedReplicaEvents) {
    this.replica = replica;
    this.leaderEpoch = at.leaderEpoch;
    this.#context = context;
    this.#at = at;
    this.#events = events;
    this.#offset = at.offset;
    this.#lastFetchedEpoch = at.lastFetchedEpoch;
    this.#compared = at.sameLeader && !context.runtime.safeguard('trunc.onEveryEpoch');
  }

  get isReady(): boolean {
    return this.#phase === 'fetching';
  }

  /** What to ask of the leader next. */
  get ask(): Ask {
    const { topic, topicId, partition, log } = this.replica;
    const { leaderEpoch } = this;
    const isSent = !this.#compared || this.#context.runtime.safeguard('fetch.divergence');
    const lastFetchedEpoch = isSent ? this.#lastFetchedEpoch : NO_EPOCH;
    const { logStartOffset } = log;
    return { topic, topicId, partition, leaderEpoch, offset: this.#offset, lastFetchedEpoch, logStartOffset };
  }

  /** Leaves the fetcher: whatever completes later changes nothing here. */
  remove(): void {
    this.#phase = 'removed';
  }

  /** Takes the leader's answer to `asked`, or ignores it: one comparison with what was sent decides (BUG-78, repl R-39). */
  onFetched(asked: Ask, result: FetchedPartition): void {
    const fits = asked.offset === this.#offset && asked.leaderEpoch === this.leaderEpoch;
    if (this.#phase !== 'fetching') return;
    if (!fits && this.#context.runtime.safeguard('fetch.responseMatch')) return;
    if (result.error !== 'NONE') this.#onError(result);
    else if (result.divergingEpoch !== null) this.#onDiverging(result.divergingEpoch, result.highWatermark);
    else this.#onRecords(result);
  }

  /** Waits replica.fetch.backoff.ms (repl R-40). */
  backOff(): void {
    this.#phase = 'backing-off';
    const { runtime, config } = this.#context;
    runtime.clock.after(config['replica.fetch.backoff.ms'], () => {
      if (this.#phase === 'backing-off') this.#ready();
    });
  }

  #onError(result: FetchedPartition): void {
    switch (result.error) {
      case 'OFFSET_OUT_OF_RANGE':
        return this.#onOutOfRange();
      case 'FENCED_LEADER_EPOCH': // The leader is in a newer epoch: only metadata can help.
        return this.#fail('its leader is in a newer epoch');
      default:
        return this.backOff();
    }
  }

  /** Repl R-73: checked and cut in one step; the rest of the answer is not looked at (T-10). */
  #onDiverging(end: { readonly epoch: LeaderEpoch; readonly endOffset: Offset }, highWatermark: Offset): void {
    const { log, name } = this.replica;
    const truncateTo = truncationOffset(log, end);
    const { leaderEpoch } = this;
    const diverged = { divergingEpoch: end.epoch, endOffset: end.endOffset, truncateTo };
    this.#context.runtime.trace({ type: 'diverged', ...name, leaderEpoch, ...diverged });
    if (!this.#context.runtime.safeguard('hw.truncateFirst')) this.replica.followHighWatermark(highWatermark);
    this.#cut(truncateTo);
  }

  #cut(offset: Offset): void {
    const { highWatermark } = this.replica.log;
    if (offset < highWatermark) this.#warn(`cutting to ${offset}, below its high watermark ${highWatermark}`);
    const { topic, partition, log } = this.replica;
    const fields = { topic, partition, leaderEpoch: this.leaderEpoch, offset, from: log.logEndOffset };
    const cut = (done: () => void): void => {
      this.#context.runtime.faults.reach('log.truncating', fields, () => {
        if (this.#phase === 'busy') this.replica.truncate(offset, done);
        else done(); // It left the fetcher while it was held.
      });
    };
    this.#store(cut, () => this.#restartAtEnd());
  }

  /** Append, then the high watermark, then the log start, then the offset (repl R-39, T-5). */
  #onRecords(result: FetchedPartition): void {
    this.#compared = true;
    if (result.records.length === 0) return this.#follow(result, () => undefined);
    const fetched = { records: result.records, offset: this.#offset, leaderEpoch: this.leaderEpoch };
    this.#phase = 'busy';
    const appended = this.replica.appendFetched(fetched, {
      counted: () => this.#events.storing(-1),
      done: () => {
        if (this.#phase === 'busy') this.#follow(result, () => this.#advance(appended));
      },
    });
    switch (appended.kind) {
      case 'appending':
        return this.#events.storing(1);
      case 'nothing': // All of it belongs to a newer epoch (repl R-6): asking again at once would bring the same.
        return this.#follow(result, () => this.backOff());
      case 'corrupt':
        this.#warn(`fetched a damaged batch: ${appended.reason}`);
        return this.backOff();
      case 'failed':
        return this.#fail(appended.reason);
    }
  }

  #advance(appended: ReturnType<Partition['appendFetched']>): void {
    if (appended.kind !== 'appending') return;
    this.#offset = appended.lastOffset + 1;
    if (this.#epochToCompare !== NO_EPOCH) this.#lastFetchedEpoch = appended.lastEpoch;
    this.#ready();
  }

  #follow(result: FetchedPartition, then: () => void): void {
    const { replica } = this;
    replica.followHighWatermark(result.highWatermark);
    const start = Math.min(result.logStartOffset, replica.log.logEndOffset);
    if (start <= replica.log.logStartOffset) return then();
    this.#store(
      (done) => replica.raiseLogStart(start, done),
      () => {
        this.#ready();
        then();
      },
    );
  }

  /** Repl R-74. */
  #onOutOfRange(): void {
    this.#phase = 'asking';
    askLeaderEnds(this.#context, this.replica, this.#at, (ends) => {
      if (this.#phase !== 'asking') return;
      const { log } = this.replica;
      if (ends.kind === 'failed') return this.backOff();
      if (ends.kind === 'fenced') return this.#fail('its leader is in a newer epoch');
      if (ends.logEndOffset < log.logEndOffset) return this.#cut(ends.logEndOffset);
      if (ends.logStartOffset > log.logEndOffset) {
        const start = ends.logStartOffset;
        return this.#store(
          (done) => this.replica.restartAt(start, done),
          () => this.#restartAtEnd(),
        );
      }
      const moved = this.#offset !== log.logEndOffset;
      this.#offset = log.logEndOffset;
      if (moved) this.#ready();
      else this.backOff(); // The same question would get the same answer.
    });
  }

  #store(change: (done: () => void) => void, then: () => void): void {
    this.#phase = 'busy';
    this.#events.storing(1);
    change(() => {
      if (this.#phase === 'busy') then();
      this.#events.storing(-1);
    });
  }

  /** After a cut: fetch from the end, with the latest epoch that is left (repl R-73). */
  #restartAtEnd(): void {
    this.#offset = this.replica.log.logEndOffset;
    this.#lastFetchedEpoch = this.#epochToCompare;
    this.#ready();
  }

  get #epochToCompare(): LeaderEpoch {
    return epochToCompare(this.replica.log, this.#context.runtime);
  }

  #ready(): void {
    this.#phase = 'fetching';
    this.#events.ready();
  }

  /** Repl: out of the fetcher until the next leader epoch. */
  #fail(reason: string): void {
    this.#phase = 'failed';
    this.#warn(`not fetched any more in leader epoch ${this.leaderEpoch}: ${reason}`);
  }

  #warn(text: string): void {
    const message = `${this.replica.topic}-${this.replica.partition}: ${text}`;
    this.#context.runtime.trace({ type: 'log.line', level: 'warn', message });
  }
}
