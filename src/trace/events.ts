// The event union: everything observable about a run. Invariants, scenarios, tables and reports read this one stream.
// A node adds {node, seq, lamport, time}; see `Stamped`.
import type { BrokerEpoch, LeaderEpoch, NodeId, Offset, PartitionEpoch, TopicId } from '../base/units.ts';
import type { ErrorName } from '../protocol/errors.ts';
import type { WireAnswer, WireAsk } from './wire.ts';

/** Which partition an event is about. */
interface OfPartition {
  readonly topic: string;
  readonly topicId: TopicId;
  readonly partition: number;
}
interface AtEpoch extends OfPartition {
  readonly leaderEpoch: LeaderEpoch;
}

/** A batch as it stands in a log. `crc` is the batch's own CRC-32C, which covers all but offset and leader epoch. */
export interface BatchMark {
  readonly baseOffset: Offset;
  readonly lastOffset: Offset;
  readonly leaderEpoch: LeaderEpoch;
  readonly crc: number;
  /** Producer id, its epoch and the first sequence, of data batches that have one. */
  readonly producer?: readonly [producerId: number, epoch: number, baseSequence: number];
  /** It is a batch of a transaction. */
  readonly transactional?: true;
  /** It is a marker: of whom, what, and by which coordinator (txn T-115). */
  readonly marker?: MarkerMark;
}

/** A transaction marker as it stands in a log. */
export interface MarkerMark {
  readonly producerId: number;
  readonly producerEpoch: number;
  readonly outcome: 'commit' | 'abort';
  readonly coordinatorEpoch: number;
}

/** A transactional id as a coordinator's record has it (txn T-10). Null where a tombstone stands. */
export interface TransactionMark {
  readonly transactionalId: string;
  readonly state: string;
  readonly producerId: number;
  readonly producerEpoch: number;
  /** `topic-partition`, sorted. */
  readonly partitions: readonly string[];
}

/** Which shard of a coordinator an event is about: a partition of its internal topic at a leader epoch. */
interface OfShard {
  readonly partition: number;
  readonly coordinatorEpoch: LeaderEpoch;
}

export type TraceEvent =
  // ---- logs
  /**
   * This start follows a wipe, or emulates a power loss: what the node's logs held may be gone. Told before any of them is
   * looked at, so that a node killed while it opens them has said so (repl I-29).
   */
  | { readonly type: 'logs.lossy' }
  /** A log was opened: what it holds, batch by batch (repl R-110, I-29). */
  | (OfPartition & {
      readonly type: 'log.opened';
      readonly logStartOffset: Offset;
      readonly logEndOffset: Offset;
      readonly highWatermark: Offset;
      readonly batches: readonly BatchMark[];
      readonly epochs: readonly (readonly [LeaderEpoch, Offset])[];
      readonly clean: boolean;
      /** Batches cut because they were damaged, or lost to an emulated power loss. */
      readonly cut: number;
      /** True if a power loss or a wipe was emulated: I-29 does not apply. */
      readonly lossy: boolean;
    })
  /** Batches were appended and the log end offset moved. */
  | (AtEpoch & {
      readonly type: 'log.appended';
      readonly role: 'leader' | 'follower';
      readonly batches: readonly BatchMark[];
      readonly logEndOffset: Offset;
    })
  /** A log was cut: everything from `to` on is gone. */
  | (OfPartition & {
      readonly type: 'log.truncated';
      readonly from: Offset;
      readonly to: Offset;
      readonly highWatermark: Offset;
      readonly why: string;
    })
  /** The log start offset rose (or the log was wiped and restarted there). */
  | (OfPartition & { readonly type: 'log.start'; readonly logStartOffset: Offset })
  /** The leader-epoch cache changed: its whole content. */
  | (OfPartition & { readonly type: 'log.epochs'; readonly epochs: readonly (readonly [LeaderEpoch, Offset])[] })
  /** A log is being cleaned: from now on batches below `upTo` may be gone or have fewer records (txn T-114). */
  | (OfPartition & { readonly type: 'log.cleaned'; readonly upTo: Offset })
  /** Producers were forgotten because they were silent for too long (txn T-109). */
  | (OfPartition & { readonly type: 'producers.expired'; readonly producerIds: readonly number[] })
  | (OfPartition & { readonly type: 'log.deleted' })
  // ---- replicas
  | (AtEpoch & {
      readonly type: 'leader.started';
      readonly partitionEpoch: PartitionEpoch;
      readonly epochStart: Offset;
      readonly highWatermark: Offset;
      readonly isr: readonly NodeId[];
      readonly minIsr: number;
    })
  | (AtEpoch & {
      readonly type: 'follower.started';
      readonly partitionEpoch: PartitionEpoch;
      readonly leader: NodeId;
      readonly fetchOffset: Offset;
    })
  /** A high watermark changed. Leaders also say what they counted (repl R-44, I-3). */
  | (AtEpoch & {
      readonly type: 'hw';
      readonly role: 'leader' | 'follower';
      readonly from: Offset;
      readonly to: Offset;
      readonly logEndOffset: Offset;
      readonly isr?: readonly NodeId[];
      readonly maximalIsr?: readonly NodeId[];
      readonly minIsr?: number;
      readonly recorded?: Readonly<Record<NodeId, Offset>>;
    })
  /**
   * A last stable offset changed, or the sets it follows from (txn T-125 to T-127). Not told while no transaction is open or
   * not replicated: then it is the high watermark.
   */
  | (AtEpoch & {
      readonly type: 'lso';
      readonly from: Offset;
      readonly to: Offset;
      readonly highWatermark: Offset;
      readonly logEndOffset: Offset;
      /** Smallest first offset of a transaction that is open, or whose marker is not replicated; -1 none. */
      readonly firstUnstableOffset: Offset;
    })
  /** The aborted-transaction index got an entry (txn T-138, T-139). */
  | (OfPartition & {
      readonly type: 'aborted';
      readonly producerId: number;
      readonly firstOffset: Offset;
      readonly lastOffset: Offset;
      readonly lastStableOffset: Offset;
    })
  /** A leader recorded a follower's fetch (repl R-41). */
  | (AtEpoch & {
      readonly type: 'fetch.recorded';
      readonly follower: NodeId;
      readonly offset: Offset;
      readonly followerEpoch: LeaderEpoch;
    })
  /** A leader's in-sync set changed locally: committed, or a proposal is pending (repl R-60). */
  | (AtEpoch & {
      readonly type: 'isr';
      readonly state: 'committed' | 'pending-expand' | 'pending-shrink';
      readonly isr: readonly NodeId[];
      readonly maximalIsr: readonly NodeId[];
      readonly partitionEpoch: PartitionEpoch;
      readonly minIsr: number;
    })
  /** A follower found that its log diverges from its leader's (repl R-73). */
  | (AtEpoch & {
      readonly type: 'diverged';
      readonly divergingEpoch: LeaderEpoch;
      readonly endOffset: Offset;
      readonly truncateTo: Offset;
    })
  // ---- answers that promise something
  /** A produce was answered. For acks=all: `highWatermark` and `maximalIsr` at that moment (repl I-15). */
  | (AtEpoch & {
      readonly type: 'produce.answered';
      readonly acks: number;
      readonly error: ErrorName;
      readonly baseOffset: Offset;
      readonly lastOffset: Offset;
      /** It was in the log already (txn T-98). */
      readonly duplicate?: true;
      /** Of what was appended: CRC-32C of the batch as it was sent; absent if the log stamped its own time on it (repl I-18). */
      readonly crc?: number;
      readonly highWatermark: Offset;
      readonly maximalIsr: readonly NodeId[];
      readonly minIsr: number;
    })
  /** A consumer was given batches up to `endOffset` (repl I-17). */
  | (AtEpoch & {
      readonly type: 'consumer.served';
      readonly fetchOffset: Offset;
      readonly endOffset: Offset;
      readonly highWatermark: Offset;
      /** read_committed: the bound was the last stable offset, this one (txn T-133). */
      readonly lastStableOffset?: Offset;
    })
  /** A client was told where the partition ends, by a leader that counts what is not decided too (repl I-19). */
  | (AtEpoch & { readonly type: 'latest.told'; readonly offset: Offset })
  /** An administrator's marker for a producer is about to be taken: no coordinator decided it (txn T-179). */
  | { readonly type: 'marker.by-hand'; readonly producerId: number; readonly outcome: 'commit' | 'abort' }
  // ---- transaction coordinator
  /** A shard was loaded and serves from now on (txn T-26); what is not decided yet goes on from here. */
  | (OfShard & { readonly type: 'txn.loaded'; readonly transactions: readonly TransactionMark[] })
  /** A shard serves no more (txn T-30). */
  | (OfShard & { readonly type: 'txn.resigned' })
  /** A record of a shard: in the coordinator's own log ('appended'), or in force ('applied', txn T-18). */
  | (OfShard & {
      readonly type: 'txn.record';
      readonly phase: 'appended' | 'applied';
      readonly offset: Offset;
      readonly transactionalId: string;
      /** Null: a tombstone. */
      readonly record: TransactionMark | null;
    })
  /** An identity was answered, by InitProducerId or by EndTxn (txn T-51, T-75). Null id: an idempotent producer's. */
  | {
      readonly type: 'producer.identity';
      readonly transactionalId: string | null;
      readonly producerId: number;
      readonly producerEpoch: number;
      readonly by: 'init' | 'end';
    }
  /** An EndTxn was answered (txn T-78). */
  | (OfShard & {
      readonly type: 'txn.end.answered';
      readonly transactionalId: string;
      readonly outcome: 'commit' | 'abort';
      readonly error: ErrorName;
    })
  // ---- group coordinator
  | (OfShard & { readonly type: 'group.loaded'; readonly groups: readonly string[] })
  | (OfShard & { readonly type: 'group.resigned' })
  /** A group entered a state (wire section 9). */
  | (OfShard & {
      readonly type: 'group.state';
      readonly group: string;
      readonly state: string;
      readonly generation: number;
      readonly members: readonly string[];
    })
  /**
   * Offsets were committed, plainly or by a transaction that ended (txn T-67), which a later plain commit may have overtaken;
   * became pending (txn T-65) or came to nothing with their transaction; or were deleted (txn T-68), and what was pending
   * with them.
   */
  | (OfShard & {
      readonly type: 'group.offsets';
      readonly group: string;
      readonly kind: 'committed' | 'pending' | 'materialised' | 'overtaken' | 'dropped' | 'deleted';
      readonly producerId?: number;
      /** `topic-partition` to offset. */
      readonly offsets: Readonly<Record<string, Offset>>;
      /** Where the record stands, or the marker that ended the transaction. */
      readonly recordOffset: Offset;
    })
  // ---- controller
  /**
   * A record of the metadata log was committed. `record` is the record as JSON. A restarted controller repeats those of
   * its last write, which its trace may lack after kill -9: a reader drops offsets that it has seen.
   */
  | {
      readonly type: 'metadata.committed';
      readonly offset: Offset;
      readonly record: unknown;
      readonly unclean?: boolean;
    }
  /**
   * A snapshot stands for the metadata log below `endOffset` from now on: so many records. The log itself is kept from
   * `startOffset` on.
   */
  | {
      readonly type: 'metadata.snapshot';
      readonly endOffset: Offset;
      readonly records: number;
      readonly startOffset: Offset;
    }
  | { readonly type: 'controller.started'; readonly controllerEpoch: number; readonly offset: Offset }
  /**
   * The controller took a request of a process: the first of it, or the first since it took one of another process of that id,
   * or registered one (repl I-23).
   */
  | { readonly type: 'broker.heard'; readonly broker: NodeId; readonly brokerEpoch: BrokerEpoch }
  /** The controller took an ISR that a leader proposed: these members, of these processes; -1: the leader does not know. */
  | (AtEpoch & { readonly type: 'isr.taken'; readonly members: readonly (readonly [NodeId, BrokerEpoch])[] })
  | { readonly type: 'broker.fenced'; readonly broker: NodeId; readonly why: string }
  | { readonly type: 'broker.unfenced'; readonly broker: NodeId }
  /** A partition's leader was decided (-1: none). */
  | (AtEpoch & {
      readonly type: 'elected';
      readonly leader: NodeId;
      readonly isr: readonly NodeId[];
      readonly reason: string;
      readonly unclean: boolean;
    })
  // ---- brokers
  /** A broker applied the metadata log up to `offset` (exclusive), in full (repl I-24). */
  | { readonly type: 'metadata.applied'; readonly offset: Offset; readonly brokerEpoch: BrokerEpoch }
  | { readonly type: 'broker.state'; readonly state: BrokerState; readonly brokerEpoch: BrokerEpoch }
  // ---- faults
  | { readonly type: 'fault.armed'; readonly fault: string }
  | { readonly type: 'fault.disarmed'; readonly fault: string; readonly why: 'asked' | 'expired' }
  /** A fault's action was carried out here. */
  | {
      readonly type: 'fault.fired';
      readonly fault: string;
      readonly point: string;
      readonly action: string;
      readonly fields: Readonly<Record<string, unknown>>;
    }
  /** A flow was held, or let go. */
  | { readonly type: 'fault.held' | 'fault.released'; readonly fault: string; readonly point: string }
  | { readonly type: 'node.halted'; readonly reason: string }
  // ---- what clients of the Kafka wire ask and are told, while it is recorded
  /** A client asked. `request` is a number of this broker's; `atUs` the machine's clock. */
  | {
      readonly type: 'wire.asked';
      readonly atUs: number;
      readonly request: string;
      readonly connection: string;
      readonly clientId: string;
      readonly ask: WireAsk;
    }
  /** The answer left for it. */
  | { readonly type: 'wire.answered'; readonly atUs: number; readonly request: string; readonly answer: WireAnswer }
  /** A connection is gone: what was asked there is not answered any more. */
  | { readonly type: 'wire.closed'; readonly atUs: number; readonly connection: string }
  /** Something people should see and nothing decides on. */
  | { readonly type: 'log.line'; readonly level: 'info' | 'warn' | 'error'; readonly message: string };

export type BrokerState = 'STARTING' | 'RECOVERY' | 'RUNNING' | 'PENDING_CONTROLLED_SHUTDOWN' | 'SHUTTING_DOWN';

/** An event as it stands in a node's event file, one JSON line each. */
export interface Stamped {
  readonly node: NodeId;
  /** Line number in the node's event file, from 0, over its restarts. */
  readonly seq: number;
  /** Orders events of different nodes: if a caused b, a's is smaller. */
  readonly lamport: number;
  /** The node's own wall clock, ms; never compared between hosts. */
  readonly time: number;
  readonly event: TraceEvent;
}
