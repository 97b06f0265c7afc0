// A consumer without a group: partitions are assigned by hand, positions live here and nowhere else. Everything happens
// while a poll waits, as in Kafka's clients, except that an answer that comes later is kept for the next poll.
import type { DurationMs, InstantMs, LeaderEpoch, Offset, TopicPartition } from '../../base/units.ts';
import { formatPartition } from '../../base/units.ts';
import type { Runtime, Timer } from '../../runtime/ports.ts';
import { isolationOf, type ClientConfig } from './config.ts';
import { ConsumerContext } from './consumer-context.ts';
import type { ConsumerFailure, Decompress, Delivery } from './consumer-record.ts';
import { FetchPosition, type PositionListener } from './fetch-position.ts';
import { Fetcher } from './fetcher.ts';
import { OffsetListing, type ListedOffsetResult } from './list-offsets.ts';
import type { ClientMetadata } from './metadata.ts';
import { EARLIEST, LATEST, sendLookups } from './offset-lookups.ts';

/** What a consumer works with. */
export interface ConsumerParts {
  readonly runtime: Runtime;
  readonly config: ClientConfig;
  readonly metadata: ClientMetadata;
  /** Hears of every move of a position that is not reading. */
  readonly onPosition?: PositionListener;
  /** For compressed batches; without it they are a failure. */
  readonly decompress?: Decompress;
  /** Hears once that the consumer is closed. */
  readonly onClosed?: () => void;
}

/** What a poll brought. */
export type PollResult =
  /** Partitions that were read on; none if the time was over, or the poll was cancelled. */
  | { readonly kind: 'ok'; readonly deliveries: readonly Delivery[] }
  /** A partition needs the application's attention. The others go on. */
  | { readonly kind: 'failed'; readonly failure: ConsumerFailure };

interface Poll {
  readonly done: (result: PollResult) => void;
  readonly timer: Timer;
}

export class ConsumerCore {
  readonly #context: ConsumerContext;
  readonly #fetcher: Fetcher;
  readonly #listener: PositionListener;
  readonly #stopListening: () => void;
  readonly #onClosed: () => void;
  /** In the order of the next fetch and delivery: who was served goes to the end. */
  readonly #positions = new Map<string, FetchPosition>();
  #poll: Poll | undefined;
  #retryTimer: Timer | undefined;
  #held = false;
  #closed = false;

  constructor(parts: ConsumerParts) {
    this.#context = new ConsumerContext(parts, () => this.#progress());
    this.#fetcher = new Fetcher(this.#context, parts.decompress);
    this.#listener = parts.onPosition ?? (() => undefined);
    this.#stopListening = parts.metadata.onUpdate(() => this.#progress());
    this.#onClosed = parts.onClosed ?? (() => undefined);
  }

  /**
   * Reads these partitions from now on, and no others. Those that stay keep their position; new ones start by policy, or,
   * with `wait`, where a `seek` or `seekTo` sends them: who knows committed offsets says so.
   */
  assign(partitions: readonly TopicPartition[], start: 'policy' | 'wait' = 'policy'): void {
    const wanted = new Set(partitions.map(({ topic, partition }) => formatPartition(topic, partition)));
    for (const name of this.#positions.keys()) if (!wanted.has(name)) this.#positions.delete(name);
    for (const of of partitions) {
      const name = formatPartition(of.topic, of.partition);
      this.#context.metadata.track(of.topic);
      if (this.#positions.has(name)) continue;
      const strategy = this.#context.config['auto.offset.reset'];
      const position = new FetchPosition(of, strategy, this.#listener);
      if (start === 'wait') position.awaitStart();
      this.#positions.set(name, position);
    }
    this.#progress();
  }

  get assignment(): readonly TopicPartition[] {
    return [...this.#positions.values()].map(nameOf);
  }

  /**
   * Goes to an offset. With the leader epoch of the record before it, the position is validated before reading (repl
   * False if the partition is not assigned.
   */
  seek(of: TopicPartition, offset: Offset, leaderEpoch?: LeaderEpoch): boolean {
    const position = this.#find(of);
    position?.seek(offset, this.#validates ? leaderEpoch : undefined);
    this.#progress();
    return position !== undefined;
  }

  /** Goes to an end of the log, looked up when it is needed. False if the partition is not assigned. */
  seekTo(of: TopicPartition, end: 'earliest' | 'latest'): boolean {
    const position = this.#find(of);
    position?.requestReset(end, 'seek');
    this.#progress();
    return position !== undefined;
  }

  /** Neither fetches nor delivers these partitions until `resume`. Those that are not assigned are passed over. */
  pause(partitions: readonly TopicPartition[]): void {
    this.#setPaused(partitions, true);
  }

  resume(partitions: readonly TopicPartition[]): void {
    this.#setPaused(partitions, false);
    this.#progress();
  }

  /** Delivers nothing and moves no position on, whatever was fetched, until it is released. */
  hold(held: boolean): void {
    this.#held = held;
    if (!held) this.#progress();
  }

  get paused(): readonly TopicPartition[] {
    return [...this.#positions.values()].filter(({ paused }) => paused).map(nameOf);
  }

  /** Partitions that wait to be told where to begin: with `start`, or by a seek. */
  get waiting(): readonly TopicPartition[] {
    return [...this.#positions.values()].filter(({ state }) => state === 'wait').map(nameOf);
  }

  /** Says where a partition begins that waits for it; without an offset, by policy. Others are passed over. */
  start(of: TopicPartition, offset?: Offset, leaderEpoch?: LeaderEpoch): void {
    const position = this.#find(of);
    if (position?.state !== 'wait') return;
    if (offset === undefined) position.requestReset(this.#context.config['auto.offset.reset'], 'start');
    else position.start(offset, this.#validates ? leaderEpoch : undefined);
    this.#progress();
  }

  /** Where it stands, of each partition in which that is certain: the offset to be committed, with its epoch. */
  get positions(): readonly (TopicPartition & { readonly offset: Offset; readonly leaderEpoch: LeaderEpoch })[] {
    return [...this.#positions.values()]
      .filter(({ state }) => state === 'fetch')
      .map(({ topic, partition, offset, offsetEpoch }) => ({ topic, partition, offset, leaderEpoch: offsetEpoch }));
  }

  /** Offset of the next record to deliver; undefined before there is one, or if the partition is not assigned. */
  position(of: TopicPartition): Offset | undefined {
    const offset = this.#find(of)?.offset ?? -1;
    return offset < 0 ? undefined : offset;
  }

  /**
   * How far behind the end the position is, as of the last fetch; undefined before there is one. The end is the last stable
   * offset under read_committed, else the high watermark (txn T-146).
   */
  currentLag(of: TopicPartition): number | undefined {
    const position = this.#find(of);
    if (position === undefined) return undefined;
    const committed = isolationOf(this.#context.config) === 1;
    const end = committed ? position.lastStableOffset : position.highWatermark;
    return position.offset < 0 || end < 0 ? undefined : Math.max(0, end - position.offset);
  }

  /** First offsets of logs, in the order of the questions. They need not be assigned. */
  beginningOffsets(partitions: readonly TopicPartition[], done: (ends: readonly ListedOffsetResult[]) => void): void {
    this.#list(partitions, EARLIEST, done);
  }

  /** Where reading ends now: the last stable offset under read_committed, else the high watermark (txn T-137). */
  endOffsets(partitions: readonly TopicPartition[], done: (ends: readonly ListedOffsetResult[]) => void): void {
    this.#list(partitions, LATEST, done);
  }

  /**
   * Calls `done` exactly once, never inside the call, as soon as there is something, or after `maxWaitMs`. One poll at a
   * time: a new one cancels the one before.
   */
  poll(maxWaitMs: DurationMs, done: (result: PollResult) => void): void {
    this.cancelPoll();
    const { clock } = this.#context.runtime;
    const timer = clock.after(this.#closed ? 0 : maxWaitMs, () => this.#finish({ kind: 'ok', deliveries: [] }));
    const poll = { done, timer };
    this.#poll = poll;
    this.#send();
    clock.after(0, () => {
      if (this.#poll === poll) this.#progress();
    });
  }

  /** Ends a poll that waits with nothing, now. Records stay for the next one. */
  cancelPoll(): void {
    this.#finish({ kind: 'ok', deliveries: [] });
  }

  /** Ends the poll that waits and does nothing more. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#retryTimer?.cancel();
    this.#stopListening();
    this.#positions.clear();
    this.cancelPoll();
    this.#onClosed();
  }

  #list(
    partitions: readonly TopicPartition[],
    timestamp: number,
    done: (ends: readonly ListedOffsetResult[]) => void,
  ): void {
    const { runtime, config, metadata, random } = this.#context;
    const questions = partitions.map(({ topic, partition }) => ({ topic, partition, timestamp }));
    const isolationLevel = isolationOf(config);
    new OffsetListing({ runtime, config, metadata, isolationLevel }, random, questions, done).start();
  }

  #setPaused(partitions: readonly TopicPartition[], paused: boolean): void {
    for (const of of partitions) {
      const position = this.#find(of);
      if (position !== undefined) position.paused = paused;
    }
  }

  get #validates(): boolean {
    return this.#context.runtime.safeguard('consumer.truncationDetect');
  }

  #find(of: TopicPartition): FetchPosition | undefined {
    return this.#positions.get(formatPartition(of.topic, of.partition));
  }

  /** Something happened: finish the poll that waits if there is something for it, else ask for more. */
  #progress(): void {
    if (this.#poll === undefined) return;
    this.#learnLeaders();
    const deliveries = this.#held ? [] : this.#deliver();
    if (deliveries.length === 0 && !this.#held) {
      const failure = this.#context.nextFailure((of) => this.#find(of) !== undefined);
      if (failure !== undefined) return this.#finish({ kind: 'failed', failure });
    }
    this.#send();
    if (deliveries.length > 0) this.#finish({ kind: 'ok', deliveries });
  }

  #finish(result: PollResult): void {
    const poll = this.#poll;
    if (poll === undefined) return;
    this.#poll = undefined;
    poll.timer.cancel();
    this.#retryTimer?.cancel();
    poll.done(result);
  }

  #learnLeaders(): void {
    const { metadata } = this.#context;
    for (const position of this.#positions.values()) {
      const known = metadata.partition(position.topic, position.partition);
      const error = metadata.topic(position.topic)?.error;
      if (known !== undefined) position.onLeader(known.leader, known.leaderEpoch, this.#validates);
      else if (error === 'INVALID_TOPIC_EXCEPTION') this.#context.onError(position, error);
      else metadata.requestUpdate();
    }
  }

  #send(): void {
    if (this.#closed) return;
    this.#learnLeaders();
    const now = this.#context.runtime.clock.now();
    sendLookups(this.#context, this.#positions.values(), now);
    this.#fetcher.send(this.#positions.values(), now);
    this.#watchRetries(now);
  }

  #watchRetries(now: InstantMs): void {
    this.#retryTimer?.cancel();
    this.#retryTimer = undefined;
    let next = Infinity;
    for (const { retryAt } of this.#positions.values()) if (retryAt > now && retryAt < next) next = retryAt;
    if (next === Infinity) return;
    this.#retryTimer = this.#context.runtime.clock.after(next - now, () => this.#progress());
  }

  /** Takes up to max.poll.records from what was fetched, partition by partition. */
  #deliver(): Delivery[] {
    const deliveries: Delivery[] = [];
    let room = this.#context.config['max.poll.records'];
    for (const [name, position] of [...this.#positions]) {
      const { buffered } = position;
      if (room <= 0) break;
      if (buffered === undefined || position.paused) continue;
      const from = position.offset;
      const records = buffered.take(room);
      room -= records.length;
      if (buffered.nextOffset > from) {
        position.consumed(buffered.nextOffset, buffered.lastEpoch);
        const { topic, partition, highWatermark, highWatermarkEpoch } = position;
        deliveries.push({ topic, partition, from, to: position.offset, records, highWatermark, highWatermarkEpoch });
        this.#positions.delete(name);
        this.#positions.set(name, position);
      }
      if (buffered.failure !== undefined) {
        this.#context.failed(position, { refresh: false });
        this.#context.raise(position, buffered.failure);
      }
      if (buffered.isDone) position.buffered = undefined;
    }
    return deliveries;
  }
}

function nameOf({ topic, partition }: TopicPartition): TopicPartition {
  return { topic, partition };
}
