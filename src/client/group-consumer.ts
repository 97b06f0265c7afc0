// A member of a consumer group as applications use it: polls and commits as promises. Everything is decided in the core. Poll at
// least every max.poll.interval.ms: who does not is taken for dead, and its partitions go to others.
import type { DurationMs, LeaderEpoch, Offset, TopicPartition } from '../base/units.ts';
import type { CommittedOffset } from '../protocol/generated/index.ts';
import type { Calls, CallOptions } from './calls.ts';
import type { PollOptions } from './consumer.ts';
import type { CommittedResult } from './core/group/committed-offsets.ts';
import type { GroupConsumerCore, GroupPollResult } from './core/group/group-consumer.ts';
import type { GroupListener } from './core/group/rebalancer.ts';
import type { ConsumerRecord, Delivery } from './core/consumer-record.ts';
import type { GroupMetadata, OffsetToSend } from './core/txn/requests.ts';
import { CommitError, ConsumerError, GroupError, HighwaterError } from './errors.ts';

type Told = (partitions: readonly TopicPartition[]) => void | Promise<void>;

/** Hears of partitions that come and go, within polls. A poll does not end before it has. */
export interface RebalanceListener {
  /** They are this member's from now on, and nothing of them was read yet. May be none: the generation is another one. */
  readonly onAssigned?: Told;
  /** They are about to go to others: commit what was done with them. */
  readonly onRevoked?: Told;
  /** They may be with others already: nothing can be committed for them any more. */
  readonly onLost?: Told;
}

/** A poll of an iterator waits this long before it begins anew. */
const POLL_MS: DurationMs = 1000;
/** How long `close` waits for its last commit and its good-bye if nothing else is said. */
const CLOSE_MS: DurationMs = 5000;

export class GroupConsumer {
  readonly #core: GroupConsumerCore;
  readonly #calls: Calls;
  /** What a listener threw, until a poll has told it. */
  #thrown: { readonly error: unknown } | undefined;
  #closed = false;

  constructor(core: GroupConsumerCore, calls: Calls) {
    this.#core = core;
    this.#calls = calls;
  }

  /** Joins the group, at the next poll, to share these topics. Another subscription replaces it. */
  subscribe(topics: readonly string[], listener: RebalanceListener = {}): void {
    const { onAssigned, onRevoked, onLost } = listener;
    const core: GroupListener = {
      ...(onAssigned === undefined ? {} : { assigned: this.#tell(onAssigned) }),
      ...(onRevoked === undefined ? {} : { revoked: this.#tell(onRevoked) }),
      ...(onLost === undefined ? {} : { lost: this.#tell(onLost) }),
    };
    this.#core.subscribe(topics, core);
  }

  get assignment(): readonly TopicPartition[] {
    return this.#core.assignment;
  }

  /** Who this member is: give it to `sendOffsetsToTransaction`, so that a replaced member cannot commit (KIP-447). */
  get groupMetadata(): Required<GroupMetadata> {
    return this.#core.groupMetadata;
  }

  /**
   * What can be read now, partition by partition; empty after `maxWaitMs` without anything. What earlier polls brought counts
   * as processed. Throws ConsumerError, GroupError, and what a listener throws.
   */
  async poll(options: PollOptions = {}): Promise<readonly Delivery[]> {
    this.#throwIfThrown();
    const { maxWaitMs = POLL_MS } = options;
    const result = await this.#calls.run<GroupPollResult>(
      (resolve) => this.#core.poll(maxWaitMs, resolve),
      options,
      () => this.#core.cancelPoll(),
    );
    if (result.kind === 'group-failed') throw new GroupError(result.failure);
    if (result.kind === 'failed') throw new ConsumerError(result.failure);
    if (result.deliveries.length === 0) this.#throwIfThrown();
    return result.deliveries;
  }

  /** Records as they come, until the consumer is closed or the signal aborts. Throws as `poll` does. */
  async *records(options: CallOptions = {}): AsyncGenerator<ConsumerRecord, void, undefined> {
    while (!this.#closed && !this.#calls.closed) {
      for (const { records } of await this.poll(options)) yield* records;
    }
  }

  /**
   * Commits, by default all that polls have brought so far, and waits until that is certain. Repeated while that can help, unless
   * `once`. Throws CommitError.
   */
  commit(offsets?: readonly OffsetToSend[], options: CallOptions & { readonly once?: boolean } = {}): Promise<void> {
    const { once = false } = options;
    return this.#calls.run<void>((resolve, reject) => {
      const done: Parameters<GroupConsumerCore['commit']>[1] = (result) =>
        result.kind === 'ok' ? resolve() : reject(new CommitError(result));
      this.#core.commit(offsets, done, { once });
    }, options);
  }

  /** What is committed, in the order asked; offset -1: nothing. Waits for transactions that are undecided (txn T-70). */
  committed(partitions: readonly TopicPartition[], options: CallOptions = {}): Promise<readonly CommittedOffset[]> {
    return this.#calls.run<readonly CommittedOffset[]>((resolve, reject) => {
      this.#core.committed(partitions, (result: CommittedResult) => {
        if (result.kind === 'ok') return resolve(result.offsets);
        reject(new HighwaterError({ code: result.error, message: result.message, definite: true }));
      });
    }, options);
  }

  /** Goes to an offset. With the leader epoch of the record before it, the position is validated first (repl R-36). */
  seek(of: TopicPartition, offset: Offset, leaderEpoch?: LeaderEpoch): void {
    mustBeAssigned(of, this.#core.seek(of, offset, leaderEpoch));
  }

  seekToBeginning(of: TopicPartition): void {
    mustBeAssigned(of, this.#core.seekTo(of, 'earliest'));
  }

  seekToEnd(of: TopicPartition): void {
    mustBeAssigned(of, this.#core.seekTo(of, 'latest'));
  }

  /** Offset of the next record to deliver; undefined before there is one, or if the partition is not assigned. */
  position(of: TopicPartition): Offset | undefined {
    return this.#core.position(of);
  }

  /** As of the last fetch; undefined before there is one. */
  currentLag(of: TopicPartition): number | undefined {
    return this.#core.currentLag(of);
  }

  /** Reads nothing of these until `resume`; polls go on, and so does the membership. */
  pause(partitions: readonly TopicPartition[]): void {
    this.#core.pause(partitions);
  }

  resume(partitions: readonly TopicPartition[]): void {
    this.#core.resume(partitions);
  }

  /** Commits if enable.auto.commit is on, gives its partitions up and leaves; a static member only falls silent. */
  close(timeoutMs: DurationMs = CLOSE_MS): Promise<void> {
    if (this.#closed || this.#calls.closed) return Promise.resolve();
    this.#closed = true;
    return this.#calls.run<void>((resolve) => this.#core.close(timeoutMs, resolve));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #tell(listener: Told): (partitions: readonly TopicPartition[], proceed: () => void) => void {
    return (partitions, proceed) => {
      const hear = async (): Promise<void> => listener(partitions);
      void hear().then(proceed, (error: unknown) => {
        this.#thrown = { error };
        this.#core.cancelPoll();
        proceed();
      });
    };
  }

  #throwIfThrown(): void {
    const thrown = this.#thrown;
    this.#thrown = undefined;
    if (thrown !== undefined) throw thrown.error;
  }
}

function mustBeAssigned({ topic, partition }: TopicPartition, assigned: boolean): void {
  if (assigned) return;
  const message = `${topic}-${partition} is not assigned to this member: look at assignment`;
  throw new HighwaterError({ code: 'INVALID_REQUEST', message, definite: true });
}
