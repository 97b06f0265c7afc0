// What the parts of one broker share: its runtime, its settings, and the few things a partition asks of its surroundings.
// Interfaces only; broker.ts puts the implementations together.
import type { BrokerEpoch, LeaderEpoch, NodeId, Offset, PartitionEpoch, TopicId } from '../base/units.ts';
import type { NodeConfig, TopicConfig } from '../protocol/config.ts';
import type { MetadataImage } from '../metadata/image.ts';
import type { Runtime } from '../runtime/ports.ts';
import type { IsrAnswer, Proposal } from './isr-state.ts';
import type { Partition } from './partition.ts';

/** Identity of a partition as it travels in events. */
export interface PartitionName {
  readonly topic: string;
  readonly topicId: TopicId;
  readonly partition: number;
}

/** Sends ISR proposals (repl R-59). `done` comes later, once; OPERATION_NOT_ATTEMPTED if one is still unanswered. */
export interface IsrProposals {
  propose(of: PartitionName, proposal: Proposal, done: (answer: IsrAnswer) => void): void;
}

/** Ends what is parked. Each runs after the change that it tells of (repl ). */
export interface Wakes {
  /** The leader's log end moved. */
  logEndMoved(partition: Partition): void;
  /** The high watermark rose. */
  highWatermarkMoved(partition: Partition): void;
  /** A follower said in a fetch that its log starts elsewhere now (repl R-118). */
  followerLogStartMoved(partition: Partition): void;
  /** Role or leader epoch changed, or the replica is gone. */
  roleChanged(partition: Partition): void;
}

/** Where a follower begins to fetch. */
export interface FetchStart {
  readonly leader: NodeId;
  readonly leaderEpoch: LeaderEpoch;
  readonly offset: Offset;
  /** -1: none is sent (repl R-72). */
  readonly lastFetchedEpoch: LeaderEpoch;
  /** It followed the same broker in an earlier epoch, and hears of none between. */
  readonly sameLeader: boolean;
}

/** The fetchers of this broker as a partition sees them (repl R-71). */
export interface Fetching {
  start(partition: Partition, at: FetchStart): void;
  /** Answers to what was asked before are ignored from now on. Harmless if it was not fetching. */
  stop(partition: Partition): void;
}

export interface NodeContext {
  readonly runtime: Runtime;
  readonly config: NodeConfig;
  readonly me: NodeId;
  /** Switched before partitions are changed (repl R-101). */
  readonly image: MetadataImage;
  readonly proposals: IsrProposals;
  readonly wakes: Wakes;
  readonly fetching: Fetching;
  /** Of this process; -1 before it has registered. */
  brokerEpoch(): BrokerEpoch;
  /** Settings of a topic in the image, or as they were when it went; this node's defaults if it was never there. */
  topicConfig(topicId: TopicId): TopicConfig;
  /** In controlled shutdown, replicas out of the ISR or without a leader are not fetched any more (repl R-94). */
  readonly inControlledShutdown: boolean;
}

/** An epoch pair as partitions compare it. */
export interface PartitionEpochs {
  readonly leaderEpoch: LeaderEpoch;
  readonly partitionEpoch: PartitionEpoch;
}
