// One hosted replica: its log, its role, and the order in which they may change (repl; design section 4).
// Knows nothing of requests: produce.ts, fetches.ts and fetcher.ts ask it.
import { assert } from '../base/assert.ts';
import type { LeaderEpoch, NodeId, Offset, PartitionEpoch, TopicId } from '../base/units.ts';
import { NO_EPOCH, NO_LEADER } from '../base/units.ts';
import type { AppendInfo, AppendRefusal, FollowerAppend, PartitionLog } from '../log/api.ts';
import { refuse } from '../log/validate-batch.ts';
import type { PartitionRegistration } from '../metadata/image.ts';
import type { NodeContext, PartitionName } from './context.ts';
import { epochToCompare, followStart } from './follow-start.ts';
import { LeaderRole } from './leader-role.ts';
import type { Append, AppendMarker, Appended, Fetched } from './partition-appends.ts';
import type { FetchedAppendEvents, Leading, Place } from './partition-appends.ts';
import type { RecordedFetch } from './replica-state.ts';
import { SerialQueue } from './serial-queue.ts';
import { StableOffset } from './stable-offset.ts';

export type { Append, AppendMarker, Appended, Fetched, FetchedAppendEvents, Reached } from './partition-appends.ts';

export class Partition implements PartitionName {
  readonly topic: string;
  readonly topicId: TopicId;
  readonly partition: number;
  readonly log: PartitionLog;
  readonly #context: NodeContext;
  readonly #queue = new SerialQueue();
  readonly #stable: StableOffset;
  #role: LeaderRole | undefined;
  #lastRole: LeaderRole | undefined;
  #leader: NodeId = NO_LEADER;
  #leaderEpoch: LeaderEpoch = NO_EPOCH;
  #partitionEpoch: PartitionEpoch = NO_EPOCH;
  /** A new leader epoch or the end of the replica is on its way: nothing is appended any more (design section 4). */
  #changing = false;
  #closed = false;

  constructor(context: NodeContext, name: PartitionName, log: PartitionLog) {
    this.#context = context;
    this.topic = name.topic;
    this.topicId = name.topicId;
    this.partition = name.partition;
    this.log = log;
    this.#stable = new StableOffset(context.runtime, this.name, log);
  }

  get name(): PartitionName {
    return { topic: this.topic, topicId: this.topicId, partition: this.partition };
  }
  /** The leader epoch applied here; -1 before the first. */
  get leaderEpoch(): LeaderEpoch {
    return this.#leaderEpoch;
  }
  get isLeader(): boolean {
    return this.#role !== undefined;
  }
  /** The leader's side, while this replica leads. */
  get leading(): LeaderRole | undefined {
    return this.#role;
  }
  get leader(): NodeId {
    return this.#leader;
  }
  /** Whether the metadata has the partition; false once its topic is deleted. */
  get isKnown(): boolean {
    return this.#context.image.partition(this.topicId, this.partition) !== undefined;
  }

  /** Applies what the metadata log says of this partition. `done` once it is in force. Repl. */
  apply(decided: PartitionRegistration, done: () => void): void {
    const partitionEpoch = this.#role?.partitionEpoch ?? this.#partitionEpoch;
    if (decided.partitionEpoch < partitionEpoch) return done();
    if (decided.leaderEpoch > this.#leaderEpoch) return this.#enterEpoch(decided, done);
    assert(decided.leaderEpoch === this.#leaderEpoch, 'repl R-85: a leader epoch never falls');
    this.#partitionEpoch = decided.partitionEpoch;
    if (this.#role?.onMetadata(decided) === true) this.#highWatermarkMoved();
    if (this.#role === undefined && !this.#mayFetch(decided)) this.#context.fetching.stop(this);
    done();
  }

  /** The topic's settings changed. */
  reconfigure(): void {
    this.log.configure(this.#context.topicConfig(this.topicId));
    if (this.#role?.reconfigured() === true) this.#highWatermarkMoved();
  }

  /** Appends nothing as leader from now on: this broker stops, and its log is closed next (repl R-109). */
  close(): void {
    this.#closed = true;
  }

  /** Ends the replica and deletes its log. `done` when nothing of it is left. */
  delete(done: () => void): void {
    this.#settle((next) => {
      this.#resign();
      this.#leader = NO_LEADER;
      this.#context.wakes.roleChanged(this);
      this.log.delete(() => {
        next();
        done();
      });
    });
  }

  /**
   * Appends as leader. Returns the refusal, nothing being appended, or calls `done`: once the log end has moved and the high
   * watermark was tried (repl ), or once what a duplicate repeats is counted (txn T-98).
   * NOT_LEADER_OR_FOLLOWER and NOT_ENOUGH_REPLICAS are checked here; the rest of repl R-4 by the log.
   */
  append(append: Append, done: (appended: Appended) => void): AppendRefusal | undefined {
    const { batch, origin, acks, guard, reached } = append;
    const verified = guard === undefined ? {} : { guard };
    return this.#lead({ acks, reached, done }, (place, counted) =>
      this.log.appendAsLeader({ batch, origin, ...place, ...verified }, counted),
    );
  }

  /** As `append`, for a marker: refused by the log as txn T-116 and T-118 say. */
  appendMarker(append: AppendMarker, done: (appended: Appended) => void): AppendRefusal | undefined {
    const { marker, transactionVersion, acks, reached } = append;
    return this.#lead({ acks, reached, done }, (place, counted) =>
      this.log.appendMarker({ marker, transactionVersion, ...place }, counted),
    );
  }

  #lead(
    { acks, reached, done }: Leading,
    append: (place: Place, counted: (info: AppendInfo) => void) => AppendRefusal | undefined,
  ): AppendRefusal | undefined {
    const role = this.#role;
    if (role === undefined || this.#changing || this.#closed) {
      return refuse('NOT_LEADER_OR_FOLLOWER', 'this broker does not lead the partition');
    }
    if (acks === -1 && role.isr.length < role.minIsrForAcks) {
      const message = `${role.isr.length} in-sync replicas, min.insync.replicas is ${role.minIsr}`;
      return refuse('NOT_ENOUGH_REPLICAS', message);
    }
    const { runtime, topicConfig } = this.#context;
    const { leaderEpoch } = role;
    const place = { leaderEpoch, now: runtime.clock.wallTime(), config: topicConfig(this.topicId) };
    return append(place, (info) => {
      const { baseOffset, lastOffset } = info;
      const { topic, partition } = this;
      const fields = { baseOffset, lastOffset, offset: baseOffset, acks, topic, partition, leaderEpoch };
      this.#queue.run((next) => {
        const finish = (): void => {
          const { logAppendTimeMs, duplicate } = info;
          done({ leaderEpoch, baseOffset, lastOffset, logAppendTimeMs, duplicate });
          next();
        };
        if (info.duplicate) return finish();
        const wake = (): void => {
          const risen = this.#role === role && role.tryHighWatermark();
          this.#stable.look('leader', leaderEpoch);
          this.#context.wakes.logEndMoved(this);
          if (risen) this.#highWatermarkMoved();
          finish();
        };
        runtime.faults.reach('log.append.leader', fields, () => {
          if (reached === undefined) wake();
          else reached(info, wake);
        });
      });
    });
  }

  /** Records a follower's fetch that passed all checks, and wakes who waited for it (repl ). */
  recordFetch(follower: NodeId, fetch: RecordedFetch): void {
    const before = this.#role?.follower(follower)?.logStartOffset;
    if (this.#role?.recordFetch(follower, fetch) === true) this.#highWatermarkMoved();
    if (before !== fetch.logStartOffset) this.#context.wakes.followerLogStartMoved(this);
  }

  // ---- The follower's side. The fetcher has compared offset and epoch with what it asked (repl R-39).

  /** Appends what was fetched (repl ). */
  appendFetched(fetched: Fetched, on: FetchedAppendEvents): FollowerAppend {
    const { records, offset, leaderEpoch } = fetched;
    const outcome = this.log.appendAsFollower(records, offset, leaderEpoch, () => {
      const { lastOffset } = outcome as Extract<FollowerAppend, { kind: 'appending' }>;
      const { topic, partition } = this;
      const fields = { baseOffset: offset, lastOffset, offset, topic, partition, leaderEpoch };
      this.#queue.run((next) => {
        this.#context.runtime.faults.reach('log.append.follower', fields, () => {
          this.#stable.look('follower', leaderEpoch);
          on.done();
          next();
        });
      });
      on.counted();
    });
    return outcome;
  }

  /** Follows the leader's high watermark, upwards or downwards (repl R-48, T-5). */
  followHighWatermark(reported: Offset): void {
    const from = this.log.highWatermark;
    const to = this.log.setHighWatermark(reported);
    if (to === from) return;
    const { runtime } = this.#context;
    const { topic, topicId, partition, leaderEpoch } = this;
    const { logEndOffset } = this.log;
    runtime.trace({
      ...{ type: 'hw', topic, topicId, partition, leaderEpoch },
      ...{ role: 'follower', from, to, logEndOffset },
    });
    if (to > from) {
      runtime.faults.observe('replica.hw.advanced', { offset: to, role: 'follower', ...this.#fields(leaderEpoch) });
    }
    this.#stable.look('follower', leaderEpoch);
    if (to > from) this.#context.wakes.highWatermarkMoved(this); // Consumers wait at followers too (repl R-32).
  }

  /** Cuts the log (repl R-20). `done` when it is cut. */
  truncate(offset: Offset, done: () => void): void {
    this.#change((changed) => this.log.truncateTo(offset, changed), done);
  }

  /** Wipes the log and begins it anew at `offset` (repl R-74). */
  restartAt(offset: Offset, done: () => void): void {
    this.#change((changed) => this.log.truncateFullyAndStartAt(offset, changed), done);
  }

  /** After the leader's, by DeleteRecords or by retention (repl R-19); not beyond what may be deleted by then. */
  raiseLogStart(offset: Offset, done: () => void): void {
    this.#change((changed) => {
      if (offset > this.log.deletableTo) changed();
      else this.log.raiseLogStart(offset, changed);
    }, done);
  }

  #change(change: (changed: () => void) => void, done: () => void): void {
    this.#queue.run((next) => {
      change(() => {
        this.#stable.look(this.isLeader ? 'leader' : 'follower', this.#leaderEpoch);
        next();
        done();
      });
    });
  }

  /** The leader's: whoever waits for it is woken. */
  #highWatermarkMoved(): void {
    this.#stable.look('leader', this.#leaderEpoch);
    this.#context.wakes.highWatermarkMoved(this);
  }

  // ---- A new leader epoch.

  #enterEpoch(decided: PartitionRegistration, done: () => void): void {
    this.#settle((next) => {
      const finish = (): void => {
        this.#changing = false;
        next();
        done();
      };
      if (decided.leader === this.#context.me) this.#becomeLeader(decided, finish);
      else this.#becomeFollower(decided, finish);
    });
  }

  /**
   * Runs `step` when nothing is reserved beyond the log end and no step is held: what Kafka's leadership lock does.
   * Appends are refused and answers to fetches ignored from now on.
   */
  #settle(step: (next: () => void) => void): void {
    this.#changing = true;
    this.#context.fetching.stop(this);
    this.log.whenSettled(() => this.#queue.run(step));
  }

  /** Repl R-70. The epoch is known to the log before anyone hears of it (repl R-65, T-7). */
  #becomeLeader(decided: PartitionRegistration, finish: () => void): void {
    const { leaderEpoch, partitionEpoch, isr } = decided;
    const { runtime, wakes } = this.#context;
    this.log.assignLeaderEpoch(leaderEpoch, () => {
      const epochStart = this.log.logEndOffset;
      const previous = this.#resign() ?? (runtime.safeguard('isr.fetchInEpoch') ? undefined : this.#lastRole);
      this.#takeOver(decided);
      const replica = { name: this.name, log: this.log, onHighWatermark: () => this.#highWatermarkMoved() };
      const role = new LeaderRole(this.#context, replica, { decided, epochStart, previous });
      this.#role = this.#lastRole = role;
      const { highWatermark } = this.log;
      runtime.trace({
        ...{ type: 'leader.started', ...this.name, leaderEpoch, partitionEpoch },
        ...{ epochStart, highWatermark, isr, minIsr: role.minIsr },
      });
      runtime.faults.observe('replica.leader.started', { ...this.#fields(leaderEpoch), offset: epochStart });
      const risen = role.tryHighWatermark();
      wakes.roleChanged(this);
      if (risen) this.#highWatermarkMoved();
      else this.#stable.look('leader', leaderEpoch);
      finish(); // Last: what follows may be the next change.
    });
  }

  /** Repl: the log is cut only if it has no epochs to compare by (T-6), or if that protection is off. */
  #becomeFollower(decided: PartitionRegistration, finish: () => void): void {
    const { runtime, wakes, fetching } = this.#context;
    const { log } = this;
    const { leader, leaderEpoch, partitionEpoch } = decided;
    const { isCut, offset } = followStart(log, runtime);
    const at = { leader, leaderEpoch, offset, sameLeader: leader === this.#leader };
    this.#resign();
    this.#takeOver(decided);
    // Before the cut: whoever cuts its log does not lead any more (I-5).
    runtime.trace({ type: 'follower.started', ...this.name, leaderEpoch, partitionEpoch, leader, fetchOffset: offset });
    wakes.roleChanged(this);
    const follow = (): void => {
      if (this.#mayFetch(decided)) fetching.start(this, { ...at, lastFetchedEpoch: epochToCompare(log, runtime) });
      finish(); // Last: what follows may be the next change.
    };
    const cut = (): void => {
      this.#stable.look('follower', leaderEpoch);
      follow();
    };
    if (isCut) log.truncateTo(offset, cut);
    else follow();
  }

  /** Repl for a broker on its way out. */
  #mayFetch(decided: PartitionRegistration): boolean {
    const { image, inControlledShutdown, me } = this.#context;
    if (decided.leader === NO_LEADER || !image.brokers.has(decided.leader)) return false;
    return !inControlledShutdown || decided.isr.includes(me);
  }

  #takeOver(decided: PartitionRegistration): void {
    this.#leader = decided.leader;
    this.#leaderEpoch = decided.leaderEpoch;
    this.#partitionEpoch = decided.partitionEpoch;
  }

  #resign(): LeaderRole | undefined {
    const role = this.#role;
    role?.end();
    this.#role = undefined;
    return role;
  }

  #fields(leaderEpoch: LeaderEpoch): { topic: string; partition: number; leaderEpoch: LeaderEpoch } {
    return { topic: this.topic, partition: this.partition, leaderEpoch };
  }
}
