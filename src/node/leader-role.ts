// The leader's side of one partition in one leader epoch: what it knows of its followers, the in-sync set, and the high
// watermark (repl R-41 to R-47, R-54 to R-60). Appends, epochs and parked requests are partition.ts's and the purgatories'.
import type { BrokerEpoch, LeaderEpoch, NodeId, Offset, PartitionEpoch } from '../base/units.ts';
import { NO_EPOCH } from '../base/units.ts';
import type { PartitionLog } from '../log/api.ts';
import { isActive } from '../metadata/image.ts';
import type { PartitionRegistration } from '../metadata/image.ts';
import type { IsrMember } from '../protocol/generated/index.ts';
import type { NodeContext, PartitionName } from './context.ts';
import { nextHighWatermark } from './high-watermark.ts';
import { afterMetadata, committed, maximalIsr, onIsrAnswer, pending } from './isr-state.ts';
import type { IsrAnswer, IsrState, Proposal } from './isr-state.ts';
import { afterFetch, afterNewEpoch, isCaughtUp, UNSEEN } from './replica-state.ts';
import type { RecordedFetch, ReplicaState } from './replica-state.ts';

export interface LeaderStart {
  readonly decided: PartitionRegistration;
  /** The log end when the epoch began. */
  readonly epochStart: Offset;
  /** The role in the epoch before, if this broker led then too (repl R-42). */
  readonly previous: LeaderRole | undefined;
}

export class LeaderRole {
  readonly leaderEpoch: LeaderEpoch;
  readonly epochStart: Offset;
  readonly #context: NodeContext;
  readonly #name: PartitionName;
  readonly #log: PartitionLog;
  /** Called when an answer of the controller moved the high watermark. */
  readonly #onHighWatermark: () => void;
  readonly #followers = new Map<NodeId, ReplicaState>();
  #replicaCount: number;
  #partitionEpoch: PartitionEpoch;
  #isr: IsrState;
  /** The effective min ISR that was last told of. */
  #toldMinIsr: number;
  /** A proposal that a fault holds before it is made; one at a time. */
  #aboutToPropose = false;
  #ended = false;

  constructor(
    context: NodeContext,
    replica: { readonly name: PartitionName; readonly log: PartitionLog; readonly onHighWatermark: () => void },
    start: LeaderStart,
  ) {
    const { decided, epochStart, previous } = start;
    this.#context = context;
    this.#name = replica.name;
    this.#log = replica.log;
    this.#onHighWatermark = replica.onHighWatermark;
    this.leaderEpoch = decided.leaderEpoch;
    this.epochStart = epochStart;
    this.#replicaCount = decided.replicas.length;
    this.#partitionEpoch = decided.partitionEpoch;
    this.#isr = committed(decided.isr);
    this.#toldMinIsr = this.minIsr;
    const reset = { wasLeader: previous !== undefined, nowMs: context.runtime.clock.now(), epochStart };
    for (const id of decided.replicas) {
      if (id === context.me) continue;
      const before = previous?.follower(id) ?? UNSEEN;
      this.#followers.set(id, afterNewEpoch(before, { ...reset, inIsr: decided.isr.includes(id) }));
    }
  }

  get partitionEpoch(): PartitionEpoch {
    return this.#partitionEpoch;
  }
  /** The committed ISR (repl R-60). */
  get isr(): readonly NodeId[] {
    return this.#isr.isr;
  }
  /** Repl R-43. */
  get maximalIsr(): readonly NodeId[] {
    return maximalIsr(this.#isr);
  }
  /** Effective min ISR (repl R-11). */
  get minIsr(): number {
    const configured = this.#context.topicConfig(this.#name.topicId)['min.insync.replicas'];
    return Math.min(configured, this.#replicaCount);
  }
  /** In-sync replicas that acks=all needs, before its append and after (repl ). */
  get minIsrForAcks(): number {
    return this.#context.runtime.safeguard('produce.minIsr') ? this.minIsr : 1;
  }
  /** What is known of each follower, in assignment order. */
  get followers(): ReadonlyMap<NodeId, ReplicaState> {
    return this.#followers;
  }
  /** Smallest log start of this leader and its unfenced followers, as their fetches said; -1 while one is unknown (repl R-118). */
  get lowWatermark(): Offset {
    let low = this.#log.logStartOffset;
    for (const [id, { logStartOffset }] of this.#followers) {
      if (this.#context.image.brokers.get(id)?.fenced === false) low = Math.min(low, logStartOffset);
    }
    return low;
  }
  follower(id: NodeId): ReplicaState | undefined {
    return this.#followers.get(id);
  }

  /** The epoch is over: answers and held steps that come later change nothing (repl R-9). */
  end(): void {
    this.#ended = true;
  }

  /** Metadata of the same leader epoch: assignment and ISR only (repl ). Tries the high watermark. */
  onMetadata(decided: PartitionRegistration): boolean {
    for (const id of this.#followers.keys()) if (!decided.replicas.includes(id)) this.#followers.delete(id);
    for (const id of decided.replicas) {
      if (id !== this.#context.me && !this.#followers.has(id)) this.#followers.set(id, UNSEEN);
    }
    this.#replicaCount = decided.replicas.length;
    const state = afterMetadata(this.#isr, this.#partitionEpoch, decided);
    this.#partitionEpoch = decided.partitionEpoch;
    this.#become(state);
    return this.tryHighWatermark();
  }

  /**
   * Records a follower's valid fetch, then tries the ISR, then the high watermark if the recorded end changed
   * (repl ). True if the high watermark rose.
   */
  recordFetch(id: NodeId, fetch: RecordedFetch): boolean {
    const before = this.#followers.get(id) ?? UNSEEN;
    const after = afterFetch(before, fetch);
    this.#followers.set(id, after);
    const moved = before.logEndOffset !== after.logEndOffset;
    if (moved || before.brokerEpoch !== after.brokerEpoch) {
      const { topic, topicId, partition } = this.#name;
      const { offset, currentLeaderEpoch: followerEpoch } = fetch;
      this.#context.runtime.trace({
        ...{ type: 'fetch.recorded', topic, topicId, partition, leaderEpoch: this.leaderEpoch },
        ...{ follower: id, offset, followerEpoch },
      });
    }
    this.#tryExpand(id, after);
    return moved && this.tryHighWatermark();
  }

  /** The topic's settings changed: a lower min.insync.replicas may let the high watermark go on (repl R-45). */
  reconfigured(): boolean {
    if (this.minIsr !== this.#toldMinIsr) this.#tell();
    return this.tryHighWatermark();
  }

  /** Repl. True if it rose; the caller wakes who waits (repl R-47). */
  tryHighWatermark(): boolean {
    // About to hear that its epoch is over (repl R-101). The settings are as new as that: by a smaller min.insync.replicas it
    // would commit what its successor does not have.
    if (this.#decided?.leaderEpoch !== this.leaderEpoch) return false;
    const log = this.#log;
    const minIsr = this.minIsr;
    const counted = this.#counted();
    const from = log.highWatermark;
    const needed = this.#context.runtime.safeguard('hw.minIsrFreeze') ? minIsr : 1;
    const { logEndOffset } = log;
    const { isr, maximalIsr, leaderEpoch } = this;
    const ends = counted.map(([, end]) => end);
    const to = nextHighWatermark({
      ...{ highWatermark: from, logEndOffset, counted: ends },
      ...{ committedIsrSize: isr.length, minIsr: needed },
    });
    if (to <= from) return false;
    log.setHighWatermark(to);
    const recorded: Record<NodeId, Offset> = {};
    for (const [id, end] of counted) recorded[id] = end;
    const { topic, topicId, partition } = this.#name;
    this.#context.runtime.trace({
      ...{ type: 'hw', topic, topicId, partition, leaderEpoch, role: 'leader', from, to },
      ...{ logEndOffset, isr, maximalIsr, minIsr, recorded },
    });
    const fields = { offset: to, role: 'leader', topic, partition, leaderEpoch };
    this.#context.runtime.faults.observe('replica.hw.advanced', fields);
    return true;
  }

  /** Repl R-55: proposes the ISR without all members that lag. Called by a timer. */
  shrinkLagging(): void {
    if (this.#isr.kind !== 'committed' || this.#aboutToPropose) return;
    const remaining = this.#inSync();
    if (remaining.length === this.isr.length) return;
    this.#reachThen('replica.isr.shrink', remaining, () => {
      const now = this.#inSync();
      if (now.length < this.isr.length) this.#propose('pending-shrink', now);
    });
  }

  #inSync(): NodeId[] {
    return this.isr.filter((id) => id === this.#context.me || this.#isCaughtUp(this.follower(id) ?? UNSEEN));
  }

  /** Repl: only from inside a fetch of the candidate, one replica a proposal. */
  #tryExpand(id: NodeId, state: ReplicaState): void {
    if (this.#isr.kind !== 'committed' || this.#aboutToPropose || !this.#mayJoin(id, state)) return;
    this.#reachThen('replica.isr.expand', [...this.isr, id], () => {
      if (this.#mayJoin(id, this.follower(id) ?? UNSEEN)) this.#propose('pending-expand', [...this.isr, id]);
    });
  }

  #mayJoin(id: NodeId, state: ReplicaState): boolean {
    return (
      !this.isr.includes(id) &&
      state.logEndOffset >= this.#log.highWatermark &&
      this.#reachesEpoch(state) &&
      this.#isEligible(id, state)
    );
  }

  /** Repl R-81: what the leader before committed may lie above our high watermark, and not above where our epoch starts. */
  #reachesEpoch(state: ReplicaState): boolean {
    return state.logEndOffset >= this.epochStart || !this.#context.runtime.safeguard('isr.joinAtEpochStart');
  }

  #reachThen(point: 'replica.isr.shrink' | 'replica.isr.expand', isr: readonly NodeId[], act: () => void): void {
    const fields = { topic: this.#name.topic, partition: this.#name.partition, leaderEpoch: this.leaderEpoch };
    this.#aboutToPropose = true;
    this.#context.runtime.faults.reach(point, { ...fields, isr: isr.join(',') }, () => {
      this.#aboutToPropose = false;
      if (!this.#ended && this.#isr.kind === 'committed') act();
    });
  }

  #propose(kind: 'pending-expand' | 'pending-shrink', isr: readonly NodeId[]): void {
    const newIsr = isr.map((id): IsrMember => ({ brokerId: id, brokerEpoch: this.#brokerEpochOf(id) }));
    const proposal: Proposal = { leaderEpoch: this.leaderEpoch, partitionEpoch: this.#partitionEpoch, newIsr };
    this.#become(pending(kind, this.isr, proposal));
    this.#send(proposal);
  }

  /** Repl R-59: its own for itself, that of the last fetch for others. */
  #brokerEpochOf(id: NodeId): BrokerEpoch {
    if (id === this.#context.me) return this.#context.brokerEpoch();
    return this.follower(id)?.brokerEpoch ?? NO_EPOCH;
  }

  #send(proposal: Proposal): void {
    this.#context.proposals.propose(this.#name, proposal, (answer) => this.#onAnswer(proposal, answer));
  }

  #onAnswer(proposal: Proposal, answer: IsrAnswer): void {
    if (this.#ended) return;
    const at = { leaderEpoch: this.leaderEpoch, partitionEpoch: this.#partitionEpoch };
    const reaction = onIsrAnswer(this.#isr, at, proposal, answer);
    if (reaction.kind === 'resend') this.#send(proposal);
    if (reaction.kind !== 'become' || this.#isAhead(answer)) return;
    this.#partitionEpoch = reaction.partitionEpoch;
    this.#become(reaction.state);
    if (answer.error === 'NONE' && this.tryHighWatermark()) this.#onHighWatermark();
  }

  /**
   * Whether who left may lead next by a larger min.insync.replicas that this leader has not heard of (repl ): it
   * goes on counting on them until the metadata has this change, and all before it (docs/divergence.md).
   */
  #isAhead({ error, partitionEpoch }: IsrAnswer): boolean {
    const isShrunk = error === 'NONE' && this.#isr.kind === 'pending-shrink';
    return isShrunk && this.#context.image.hasElr && (this.#decided?.partitionEpoch ?? -1) < partitionEpoch;
  }

  #become(state: IsrState): void {
    if (state === this.#isr) return;
    this.#isr = state;
    this.#tell();
  }

  #tell(): void {
    const { isr, maximalIsr, minIsr } = this;
    this.#toldMinIsr = minIsr;
    this.#context.runtime.trace({
      ...{ type: 'isr', ...this.#name, leaderEpoch: this.leaderEpoch, state: this.#isr.kind },
      ...{ isr, maximalIsr, partitionEpoch: this.#partitionEpoch, minIsr },
    });
  }

  /** This partition as the metadata has it, which may be newer than this leader, or older than what it was answered. */
  get #decided(): PartitionRegistration | undefined {
    return this.#context.image.partition(this.#name.topicId, this.#name.partition);
  }

  /** The followers that hold the high watermark back, with their recorded ends (repl R-44). */
  #counted(): (readonly [NodeId, Offset])[] {
    const maximal = this.#context.runtime.safeguard('hw.maximalIsr') ? this.maximalIsr : this.isr;
    const eligibleOnly = this.#context.runtime.safeguard('hw.eligible');
    const counted: (readonly [NodeId, Offset])[] = [];
    for (const [id, state] of this.#followers) {
      const isCounted =
        maximal.includes(id) || (this.#isCaughtUp(state) && (this.#isEligible(id, state) || !eligibleOnly));
      if (isCounted) counted.push([id, state.logEndOffset]);
    }
    return counted;
  }

  #isCaughtUp(state: ReplicaState): boolean {
    const { runtime, config } = this.#context;
    return isCaughtUp(state, this.#log.logEndOffset, runtime.clock.now(), config['replica.lag.time.max.ms']);
  }

  /** Repl R-57: by the metadata as this broker has it, and the broker epoch of the last fetch. */
  #isEligible(id: NodeId, state: ReplicaState): boolean {
    const broker = this.#context.image.brokers.get(id);
    if (!isActive(broker) || state.brokerEpoch === undefined) return false;
    return state.brokerEpoch === NO_EPOCH || state.brokerEpoch === broker?.brokerEpoch;
  }
}
