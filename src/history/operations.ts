// A run's history: what clients asked and were told, and what was observed at quiescence. The only thing checkers see.
// JSON lines; Jepsen's meaning of invoke, ok, fail (definitely did not happen) and info (unknown).
import type { LeaderEpoch, NodeId, Offset } from '../base/units.ts';

/** A record as a client saw it. Values are unique within a run, unless a scenario says otherwise; with a key: record-text.ts. */
export interface SeenRecord {
  readonly offset: Offset;
  readonly value: string;
}

/** Fields of every entry. `index` is its place in the history; `time` is ms since the run began. */
interface Entry {
  readonly index: number;
  readonly time: number;
  /** The client (or "observer"); one operation of it at a time unless `op` ids differ. */
  readonly process: string;
}

/** One attempt to append one value (a batch of a workload may carry several: one operation each). */
export interface SendOp extends Entry {
  readonly f: 'send';
  readonly type: 'invoke' | 'ok' | 'fail' | 'info';
  /** Joins an invocation with its completion. */
  readonly op: number;
  readonly partition: string;
  readonly value: string;
  readonly acks: 0 | 1 | -1;
  /** Its producer numbers its batches: the value is to be there once, and in order. */
  readonly idempotent?: true;
  /** It is part of this transaction of its process, counted from 1. */
  readonly txn?: number;
  /** Values of input records that it was made from, as `partition@offset`. */
  readonly from?: readonly string[];
  /** ok: where it landed (absent with acks=0). */
  readonly offset?: Offset;
  readonly error?: string;
  /** ok: whether the client may have sent it more than once (a retry after an unknown outcome). */
  readonly retried?: boolean;
  /** ok: the broker that acknowledged it, and the leader epoch in which it did, where the answer says so. */
  readonly node?: NodeId;
  readonly leaderEpoch?: LeaderEpoch;
}

/** A poll of one partition by a consumer: what it got and where it goes on. */
export interface PollOp extends Entry {
  readonly f: 'poll';
  readonly type: 'invoke' | 'ok' | 'fail' | 'info';
  readonly op: number;
  readonly partition: string;
  /** ok: position before and after. */
  readonly from?: Offset;
  readonly to?: Offset;
  readonly records?: readonly SeenRecord[];
  readonly isolation?: 'read_committed' | 'read_uncommitted';
  /** It reads as a member of this group. */
  readonly group?: string;
  /** ok: the high watermark of the answer, if a leader gave it, and the leader epoch that this was fenced with (repl R-24). */
  readonly highWatermark?: Offset;
  readonly leaderEpoch?: LeaderEpoch;
  readonly error?: string;
}

/** Somebody asks a leader where a partition ends: ListOffsets(latest), read_uncommitted (repl R-37). */
export interface EndOffsetOp extends Entry {
  readonly f: 'end-offset';
  readonly type: 'invoke' | 'ok' | 'fail' | 'info';
  readonly op: number;
  readonly partition: string;
  /** ok: the answer, and the leader epoch of who gave it. */
  readonly offset?: Offset;
  readonly leaderEpoch?: LeaderEpoch;
  readonly error?: string;
}

/**
 * A step of a transactional producer. `init` and `commit` and `abort` answer with the identity from then on.
 * A commit or abort that is `info` may have happened; one that is `fail` has not. Somebody who fences a producer from
 * outside (txn T-181) is recorded as a process of its own that does `init`.
 */
export interface TxnOp extends Entry {
  readonly f: 'init' | 'begin' | 'send-offsets' | 'commit' | 'abort';
  readonly type: 'invoke' | 'ok' | 'fail' | 'info';
  readonly op: number;
  readonly transactionalId: string;
  /** Which transaction of this process, counted from 1 (absent for init). */
  readonly txn?: number;
  /** ok of init: the identity. */
  readonly producerId?: number;
  readonly producerEpoch?: number;
  /** invoke of init: the transaction timeout it asks for. Without it nobody can tell a fenced innocent from one too slow. */
  readonly timeoutMs?: number;
  /** send-offsets: the group, and the next offset to be read by partition (`topic-partition`). */
  readonly group?: string;
  readonly offsets?: Readonly<Record<string, Offset>>;
  readonly error?: string;
  /** The producer can do nothing more. */
  readonly fatal?: true;
}

/**
 * A member of a group commits offsets plainly, or learns what is committed. Whoever resets offsets from outside is
 * recorded as a process of its own that does `commit-offsets`.
 */
export interface OffsetsOp extends Entry {
  readonly f: 'commit-offsets' | 'fetch-offsets';
  readonly type: 'invoke' | 'ok' | 'fail' | 'info';
  readonly op: number;
  readonly group: string;
  /** Of a commit of a member: the generation that it is of. */
  readonly generation?: number;
  /** Next offset to be read by partition; -1 none committed. */
  readonly offsets?: Readonly<Record<string, Offset>>;
  readonly error?: string;
}

/** A member of a group was given partitions, or gave them up. */
export interface AssignmentOp extends Entry {
  readonly f: 'assigned' | 'revoked' | 'lost';
  readonly type: 'info';
  readonly group: string;
  readonly member: string;
  /** Of a static member: its group.instance.id, which outlives its member id. */
  readonly instance?: string;
  readonly generation: number;
  readonly partitions: readonly string[];
}

/** A consumer's position was moved by something other than reading. */
export interface PositionOp extends Entry {
  readonly f: 'position';
  readonly type: 'info';
  readonly partition: string;
  readonly why: 'seek' | 'start' | 'reset' | 'truncated';
  /** Position before (-1 none) and after (-1 none: it stopped). */
  readonly from: Offset;
  readonly to: Offset;
}

/** A fault was carried out; for people and for windows. */
export interface FaultOp extends Entry {
  readonly f: 'fault';
  readonly type: 'info';
  readonly fault: string;
  readonly action: string;
  readonly detail: string;
  /** Clients (processes of this history) that it paused or killed: what they had under way owes no answer… */
  readonly halts?: readonly string[];
  /** …and those that go on. */
  readonly frees?: readonly string[];
  /** It stepped a clock: nobody can tell any more what timed out. */
  readonly skews?: true;
}

/**
 * Something that may make a loss legal: 'unclean-election' of a partition, 'power-loss' or 'wipe' of a replica that had a part
 * in what is committed, until it is 'made-good', 'last-known-election' of a leader that has lost something; or that makes a
 * torn transaction legal: 'admin-abort' of an open transaction in a partition (txn T-179, W-15). Of a partition that was
 * deleted with its topic ('topic-deletion') nothing is promised: checkers leave out all that the history says of it.
 * Of a compacted one ('compaction') records may be gone that a later one of their key supersedes, tombstones once what they
 * delete is nowhere, and what was aborted. Checkers count what falls under it as allowed.
 */
export interface BudgetOp extends Entry {
  readonly f: 'budget';
  readonly type: 'info';
  readonly what:
    | 'unclean-election'
    | 'last-known-election'
    | 'power-loss'
    | 'wipe'
    | 'made-good'
    | 'admin-abort'
    | 'topic-deletion'
    | 'compaction';
  readonly partition: string | '*';
  readonly node?: NodeId;
  /** Of a loss: of how many replicas at once the partition survives it (repl ). Absent: of none. */
  readonly tolerated?: number;
}

/**
 * What this process did was seen on the wire, by brokers that record: not what it made from what it was given, nor which
 * partitions of a group it was given. Checkers that need to know say so. What is surely one instance of a client is a process
 * of its own: app, app~2, app~3.
 */
export interface RecordedOp extends Entry {
  readonly f: 'recorded';
  readonly type: 'info';
}

/** What one replica held when everything was quiet. `records` is the whole log, in offset order. */
export interface ReplicaObservation extends Entry {
  readonly f: 'replica';
  readonly type: 'info';
  readonly partition: string;
  readonly node: NodeId;
  readonly logStartOffset: Offset;
  readonly highWatermark: Offset;
  readonly logEndOffset: Offset;
  readonly records: readonly LogRecord[];
}

/** A record in a log, as an observer decoded it. */
export interface LogRecord {
  readonly offset: Offset;
  readonly leaderEpoch: number;
  /** CRC-32C of its batch, hexadecimal. */
  readonly crc: string;
  /** Undefined if the batch is compressed (opaque). */
  readonly value?: string;
  /** Of batches with a producer id. */
  readonly producerId?: number;
  readonly producerEpoch?: number;
  readonly transactional?: true;
  /** It is a marker, not a record (txn T-115). */
  readonly marker?: 'commit' | 'abort';
  readonly coordinatorEpoch?: number;
}

/** What a coordinator says of a transactional id when everything is quiet (txn T-177). */
export interface TransactionObservation extends Entry {
  readonly f: 'transaction';
  readonly type: 'info';
  readonly transactionalId: string;
  /** Who answered, and for which partition of __transaction_state at which epoch. */
  readonly node: NodeId;
  readonly statePartition: number;
  readonly coordinatorEpoch: number;
  readonly state: string;
  readonly producerId: number;
  readonly producerEpoch: number;
  readonly timeoutMs: number;
  readonly startTimeMs: number;
  readonly partitions: readonly string[];
}

/** Transactions that a leader holds open, and its ends, when everything is quiet (txn T-178, T-182). */
export interface OpenTransactionsObservation extends Entry {
  readonly f: 'open-transactions';
  readonly type: 'info';
  readonly partition: string;
  readonly node: NodeId;
  readonly lastStableOffset: Offset;
  readonly highWatermark: Offset;
  readonly open: readonly {
    readonly producerId: number;
    readonly producerEpoch: number;
    readonly firstOffset: Offset;
    /** Ms since its last batch. */
    readonly idleMs: number;
  }[];
}

/** What is committed for a group when everything is quiet, read stably (txn T-70). */
export interface CommittedObservation extends Entry {
  readonly f: 'committed';
  readonly type: 'info';
  readonly group: string;
  /** By partition; -1 none. */
  readonly offsets: Readonly<Record<string, Offset>>;
  /** Partitions whose commit was still undecided. */
  readonly unstable: readonly string[];
}

/** A read_committed scan of a partition from its beginning to its last stable offset, when everything is quiet. */
export interface CommittedScan extends Entry {
  readonly f: 'scan';
  readonly type: 'info';
  readonly partition: string;
  readonly isolation: 'read_committed' | 'read_uncommitted';
  /** Where it ended. */
  readonly to: Offset;
  readonly records: readonly SeenRecord[];
}

/** Whether observations are complete: replicas that are missing make what depends on them inconclusive. */
export interface QuiesceOp extends Entry {
  readonly f: 'quiesce';
  readonly type: 'ok' | 'info';
  /** Partitions whose replicas did not agree in time, or are missing. */
  readonly missing: readonly string[];
  /** Index of the first entry that was written when the replicas had been looked at: what it tells may be newer than they. */
  readonly observedFrom?: number;
  /**
   * Clients for which the run waited, all healed, beyond every bound of their operations: what they have not
   * completed by now has stalled. Absent: nobody waited, and an operation without an end proves nothing.
   */
  readonly awaited?: readonly string[];
  /**
   * Readers that were let read on, all healed, until they had all there was or beyond every bound: what they had not
   * reached then they cannot see. Absent: nobody waited, and a reader that is behind is slow.
   */
  readonly drained?: readonly string[];
  /** When that was, and they were told to end; ms since the run began. */
  readonly drainedAt?: number;
}

export type HistoryEntry =
  | SendOp
  | PollOp
  | EndOffsetOp
  | TxnOp
  | OffsetsOp
  | AssignmentOp
  | PositionOp
  | FaultOp
  | BudgetOp
  | RecordedOp
  | ReplicaObservation
  | TransactionObservation
  | OpenTransactionsObservation
  | CommittedObservation
  | CommittedScan
  | QuiesceOp;

type OmitEach<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
/** An entry before the history gives it its index and time. */
export type NewEntry = OmitEach<HistoryEntry, 'index' | 'time'>;
