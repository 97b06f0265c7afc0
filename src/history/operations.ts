// A run's history: what clients asked and were told, and what was observed at quiescence. The only thing checkers see.
// JSON lines; Jepsen's meaning of invoke, ok, fail (definitely did not happen) and info (unknown).
import type { NodeId, Offset } from '../base/units.ts';

/** A record as a client saw it. Values are unique within a run, unless a scenario says otherwise. */
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
  /** ok: where it landed (absent with acks=0). */
  readonly offset?: Offset;
  readonly error?: string;
  /** ok: whether the client may have sent it more than once (a retry after an unknown outcome). */
  readonly retried?: boolean;
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
  readonly error?: string;
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
}

/**
 * Something that makes a loss legal: 'unclean-election' of a partition, 'power-loss' or 'wipe' of a replica.
 * Checkers count what falls under it as allowed.
 */
export interface BudgetOp extends Entry {
  readonly f: 'budget';
  readonly type: 'info';
  readonly what: 'unclean-election' | 'power-loss' | 'wipe';
  readonly partition: string | '*';
  readonly node?: NodeId;
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
}

/** Whether observations are complete: replicas that are missing make what depends on them inconclusive. */
export interface QuiesceOp extends Entry {
  readonly f: 'quiesce';
  readonly type: 'ok' | 'info';
  /** Partitions whose replicas did not agree in time, or are missing. */
  readonly missing: readonly string[];
}

export type HistoryEntry = SendOp | PollOp | PositionOp | FaultOp | BudgetOp | ReplicaObservation | QuiesceOp;

type OmitEach<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
/** An entry before the history gives it its index and time. */
export type NewEntry = OmitEach<HistoryEntry, 'index' | 'time'>;
