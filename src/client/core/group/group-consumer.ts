// A consumer that shares the partitions of its topics with the other members of its group: membership, committed offsets and
// positions put together. Heartbeats go on by themselves; everything else that an application can see happens in its polls.
import type { DurationMs, LeaderEpoch, Offset, TopicPartition } from '../../../base/units.ts';
import { formatPartition } from '../../../base/units.ts';
import { ConfigError } from '../../../protocol/config.ts';
import type { GroupProtocol } from '../../../protocol/generated/index.ts';
import { ConsumerCore, type ConsumerParts, type PollResult } from '../consumer.ts';
import type { GroupMetadata, OffsetToSend } from '../txn/requests.ts';
import type { Assignor } from './assignor.ts';
import { assignorsOf, protocolOf } from './assignors.ts';
import { CommittedOffsets, type CommittedResult, type FetchObserver } from './committed-offsets.ts';
import { encodeSubscription } from './consumer-protocol.ts';
import { CoordinatorLink } from './coordinator-link.ts';
import { GroupLeader } from './leader.ts';
import { Membership, type Generation, type GroupFailure } from './membership.ts';
import { OffsetCommits, type CommitObserver, type CommitResult } from './offset-commits.ts';
import { Rebalancer, type GroupListener } from './rebalancer.ts';

/** What a member of a group works with. Its group is `group.id`. */
export interface GroupConsumerParts extends ConsumerParts {
  readonly clientId: string;
  /** Hear of every commit, automatic ones included, and of every look at what is committed. */
  readonly onCommit?: CommitObserver;
  readonly onFetchOffsets?: FetchObserver;
}

/** What a poll brought; or the member cannot go on, for good if that is `fatal`. */
export type GroupPollResult = PollResult | { readonly kind: 'group-failed'; readonly failure: GroupFailure };

export class GroupConsumerCore {
  readonly #parts: GroupConsumerParts;
  readonly #consumer: ConsumerCore;
  readonly #link: CoordinatorLink;
  readonly #membership: Membership;
  readonly #leader: GroupLeader;
  readonly #commits: OffsetCommits;
  readonly #committed: CommittedOffsets;
  readonly #rebalancer: Rebalancer;
  readonly #assignors: readonly Assignor[];
  readonly #stopListening: () => void;
  #topics: ReadonlySet<string> = new Set();
  #listener: GroupListener = {};
  #poll: ((result: GroupPollResult) => void) | undefined;
  /** The end of a poll that waits for a listener. */
  #held: GroupPollResult | undefined;
  #failure: GroupFailure | undefined;
  #nextAutoCommit = 0;
  #closing = false;

  /** Throws ConfigError. */
  constructor(parts: GroupConsumerParts) {
    const { runtime, config, metadata, clientId } = parts;
    if (config['group.id'] === '') throw new ConfigError('group.id is empty; a member of a group needs one');
    const surroundings = { runtime, config, metadata };
    this.#parts = parts;
    this.#assignors = assignorsOf(config['partition.assignment.strategy']);
    this.#consumer = new ConsumerCore({ ...parts, onClosed: () => undefined });
    this.#link = new CoordinatorLink(surroundings);
    const link = this.#link;
    this.#leader = new GroupLeader(surroundings, this.#assignors);
    this.#membership = new Membership({
      ...{ ...surroundings, link, clientId },
      protocols: (generation) => this.#protocols(generation),
      lead: (protocol, members, done) => this.#leader.assign(protocol, members, done),
      isPolling: () => this.#poll !== undefined && !this.#rebalancer.isListening,
      onNews: () => this.#onNews(),
    });
    const membership = this.#membership;
    this.#commits = new OffsetCommits({
      ...{ ...surroundings, link, observe: parts.onCommit },
      told: (reaction, generation, error) => membership.told(reaction, generation, error),
    });
    this.#committed = new CommittedOffsets({ ...surroundings, link, observe: parts.onFetchOffsets });
    this.#rebalancer = new Rebalancer({
      ...{ membership, consumer: this.#consumer, protocol: protocolOf(this.#assignors) },
      topics: () => this.#topics,
      listener: () => this.#listener,
      autoCommit: (partitions, by, done) => this.#autoCommit(partitions, by, done),
      onAssigned: () => {
        this.#findStarts();
        this.#onMetadata();
      },
      onListenerDone: () => this.#tellHeld(),
    });
    this.#stopListening = metadata.onUpdate(() => this.#onMetadata());
  }

  /** Joins the group, at the next poll, to share these topics. Throws ConfigError without a topic. */
  subscribe(topics: readonly string[], listener: GroupListener = {}): void {
    if (topics.length === 0) throw new ConfigError('there is no topic to subscribe to; close the consumer to leave');
    this.#listener = listener;
    const isFirst = this.#topics.size === 0;
    this.#topics = new Set(topics);
    for (const topic of topics) this.#parts.metadata.track(topic);
    if (!isFirst) this.#membership.requestRejoin();
  }

  get assignment(): readonly TopicPartition[] {
    return this.#consumer.assignment;
  }

  /**
   * Who the member is, for `sendOffsetsToTransaction`: of the generation whose partitions the application was given last,
   * whatever its coordinator thinks meanwhile. So a member that was replaced is refused (txn T-63).
   */
  get groupMetadata(): Required<GroupMetadata> {
    const { 'group.id': groupId, 'group.instance.id': groupInstanceId } = this.#parts.config;
    const { generationId, memberId } = this.#rebalancer.visible;
    return { groupId, generationId, memberId, groupInstanceId: memberId === '' ? '' : groupInstanceId };
  }

  /** Whether it is in a generation that it knows no end of, and stands somewhere in each of its partitions. */
  get isSettled(): boolean {
    return this.#rebalancer.isSettled && this.#consumer.positions.length === this.#consumer.assignment.length;
  }

  /**
   * Calls `done` exactly once, never inside the call, as soon as there is something, or after `maxWaitMs`, but not before a
   * listener that is at work has ended. Records that an earlier poll brought count as processed. One poll at a time.
   */
  poll(maxWaitMs: DurationMs, done: (result: GroupPollResult) => void): void {
    this.cancelPoll();
    this.#dropPoll();
    this.#poll = done;
    const failure = this.#takeFailure();
    if (failure !== undefined) {
      this.#parts.runtime.clock.after(0, () => this.#end({ kind: 'group-failed', failure }));
      return;
    }
    if (this.#topics.size > 0 && !this.#closing) {
      this.#membership.polled();
      this.#autoCommitInTime();
      this.#rebalancer.setPolling(true);
    }
    this.#consumer.poll(maxWaitMs, (result) => this.#end(result));
  }

  /** Ends a poll that waits with nothing, now, or as soon as its listener has ended. */
  cancelPoll(): void {
    if (this.#poll !== undefined) this.#consumer.cancelPoll();
  }

  /**
   * Commits, by default the positions: what polls have brought so far. It is repeated while that can help, until
   * default.api.timeout.ms is over; with `once` it is not.
   */
  commit(
    offsets: readonly OffsetToSend[] | undefined,
    done: (result: CommitResult) => void,
    options: { readonly once?: boolean } = {},
  ): void {
    const { runtime, config } = this.#parts;
    const deadline = options.once === true ? 0 : runtime.clock.now() + config['default.api.timeout.ms'];
    const by = { generation: this.#rebalancer.visible, deadline };
    this.#commits.commit(offsets ?? this.#consumer.positions, by, done);
  }

  /** What is committed for partitions, in the order asked; waits for undecided transactions (txn T-70). */
  committed(partitions: readonly TopicPartition[], done: (result: CommittedResult) => void): void {
    const { runtime, config } = this.#parts;
    this.#committed.fetch(partitions, runtime.clock.now() + config['default.api.timeout.ms'], done);
  }

  seek(of: TopicPartition, offset: Offset, leaderEpoch?: LeaderEpoch): boolean {
    return this.#consumer.seek(of, offset, leaderEpoch);
  }

  seekTo(of: TopicPartition, end: 'earliest' | 'latest'): boolean {
    return this.#consumer.seekTo(of, end);
  }

  position(of: TopicPartition): Offset | undefined {
    return this.#consumer.position(of);
  }

  currentLag(of: TopicPartition): number | undefined {
    return this.#consumer.currentLag(of);
  }

  /** See ConsumerCore. A partition that is given up and comes back is not paused any more. */
  pause(partitions: readonly TopicPartition[]): void {
    this.#consumer.pause(partitions);
  }

  resume(partitions: readonly TopicPartition[]): void {
    this.#consumer.resume(partitions);
  }

  /** Commits if that is done automatically, gives up its partitions, and leaves unless it is static. `done` comes in time. */
  close(timeoutMs: DurationMs, done: () => void): void {
    if (this.#closing) {
      this.#parts.runtime.clock.after(0, done);
      return;
    }
    this.#closing = true;
    this.cancelPoll();
    let isClosed = false;
    const finish = (): void => {
      if (isClosed) return;
      isClosed = true;
      timer.cancel();
      this.#shut();
      done();
    };
    const timer = this.#parts.runtime.clock.after(timeoutMs, finish);
    this.#rebalancer.giveUp(() => this.#membership.leave(finish));
  }

  /** Ends a poll that still waits, whatever for. */
  #dropPoll(): void {
    const [done, held] = [this.#poll, this.#held];
    this.#poll = this.#held = undefined;
    done?.(held ?? { kind: 'ok', deliveries: [] });
  }

  #shut(): void {
    this.#dropPoll();
    this.#stopListening();
    this.#membership.close();
    this.#commits.close();
    this.#committed.close();
    this.#link.close();
    this.#consumer.close();
    this.#parts.onClosed?.();
  }

  #protocols({ generationId }: Generation): GroupProtocol[] {
    const topics = [...this.#topics];
    const eager = protocolOf(this.#assignors) === 'eager';
    const owned = eager ? [] : this.#consumer.assignment;
    return this.#assignors.map(({ name, userData }) => ({
      name,
      metadata: encodeSubscription({ topics, userData: userData?.(generationId) ?? null, owned, generationId }),
    }));
  }

  #onNews(): void {
    if (this.#poll === undefined || this.#closing) return;
    if (this.#membership.hasFailed) this.#consumer.cancelPoll();
    else this.#rebalancer.advance();
  }

  #onMetadata(): void {
    if (this.#membership.isLeader && this.#membership.isSettled && this.#leader.hasNews()) {
      this.#membership.requestRejoin();
    }
  }

  #findStarts(): void {
    this.#committed.findStarts(this.#consumer, (error, message) => {
      this.#failure = { error, message, fatal: false };
      if (this.#poll !== undefined) this.#consumer.cancelPoll();
    });
  }

  /** The oldest failure not told yet. A look at committed offsets that failed is repeated. */
  #takeFailure(): GroupFailure | undefined {
    const failure = this.#membership.takeFailure() ?? this.#failure;
    if (failure !== undefined && failure === this.#failure) {
      this.#failure = undefined;
      this.#parts.runtime.clock.after(0, () => this.#findStarts());
    }
    return failure;
  }

  #end(result: GroupPollResult): void {
    if (this.#poll === undefined) return;
    if (this.#rebalancer.isListening) {
      this.#held ??= result;
      return;
    }
    const isEmpty = result.kind === 'ok' && result.deliveries.length === 0;
    const failure = isEmpty ? this.#takeFailure() : undefined;
    const done = this.#poll;
    this.#poll = undefined;
    this.#rebalancer.setPolling(false);
    if (this.#topics.size > 0 && !this.#closing) this.#membership.polled();
    done(failure === undefined ? result : { kind: 'group-failed', failure });
  }

  #tellHeld(): void {
    const held = this.#held;
    this.#held = undefined;
    if (held !== undefined) this.#end(held);
  }

  #autoCommitInTime(): void {
    const { runtime, config } = this.#parts;
    const now = runtime.clock.now();
    if (!config['enable.auto.commit'] || now < this.#nextAutoCommit || this.#commits.isBusy) return;
    const isFirst = this.#nextAutoCommit === 0;
    this.#nextAutoCommit = now + config['auto.commit.interval.ms'];
    if (isFirst || !this.#membership.isSettled) return;
    this.commit(undefined, () => undefined, { once: true });
  }

  /** Before partitions go: it is tried for as long as a rebalance may last, then they go all the same. */
  #autoCommit(partitions: readonly TopicPartition[], generation: Generation, done: () => void): void {
    const { runtime, config } = this.#parts;
    const names = new Set(partitions.map(({ topic, partition }) => formatPartition(topic, partition)));
    const offsets = this.#consumer.positions.filter(({ topic, partition }) => {
      return names.has(formatPartition(topic, partition));
    });
    if (!config['enable.auto.commit'] || offsets.length === 0) return done();
    const deadline = runtime.clock.now() + Math.min(config['max.poll.interval.ms'], config['default.api.timeout.ms']);
    this.#commits.commit(offsets, { generation, deadline }, () => done());
  }
}
