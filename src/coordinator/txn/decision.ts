// What a decide function answers, and what it may look at. Decisions are values: the machine appends, waits, applies
// and answers; it decides nothing itself (txn T-18).
import type { EpochMs } from '../../base/units.ts';
import type { TransactionRecordPoint } from '../../fault/points.ts';
import type { Safeguard } from '../../fault/safeguards.ts';
import type { ErrorName } from '../../protocol/errors.ts';
import type { TransactionEntry, TransactionMetadata } from './metadata.ts';
import { NONE } from './metadata.ts';

/** What a decision may depend on besides the entry and the request. */
export interface Circumstances {
  /** Broker wall clock. */
  readonly nowMs: EpochMs;
  /** Finalized level of transaction.version: of records and of internal aborts (txn T-190). */
  readonly level: number;
  /** The epoch that a new transactional id begins with; undefined: 0 (txn T-46). */
  readonly firstEpoch?: number;
  /** A fresh producer id, asked for only when it is needed; undefined if there is none at hand (txn T-37). */
  takeProducerId(): number | undefined;
  safeguard(name: Safeguard): boolean;
}

/** Whether something is under way for the id that others have to wait for (txn T-18, T-43, T-56, T-72). */
export function isBusy({ pendingState }: TransactionEntry, circumstances: Pick<Circumstances, 'safeguard'>): boolean {
  return pendingState !== undefined && circumstances.safeguard('txn.pendingCas');
}

/** Who a producer says it is, or is told to be. */
export interface Identity {
  readonly producerId: number;
  readonly producerEpoch: number;
}

/** An answer to a request. Identity (-1, -1) unless one is given out. */
export interface Reply extends Identity {
  readonly error: ErrorName;
}

/** Answer now; nothing changes. */
export interface AnswerNow {
  readonly kind: 'answer';
  readonly reply: Reply;
}

/** Why a transaction is aborted: field `reason` of the points of txn.prepare-abort. */
export type AbortReason = 'client' | 'init' | 'timeout';

/** Append a record, and act once it is in force (txn T-18). `transitions.ts` has begin, apply and fail of it. */
export interface Write {
  readonly kind: 'write';
  /** Its steps are `${point}.deciding`, `.appended`, `.durable`. */
  readonly point: Exclude<TransactionRecordPoint, 'txn.expire'>;
  /** The record, and what is in force once it is durable. Its state is the pending state until then. */
  readonly target: TransactionMetadata;
  /** In force at once, before the append: the raised epoch of a fence of transaction.version 0 or 1 (txn T-48). */
  readonly inForceNow?: TransactionMetadata;
  /** Of a prepare: what was asked for and by whom, for the recheck after the append (txn T-79) and the points. */
  readonly prepare?: Prepare;
  /**
   * The answer once the record is in force. An append that fails is answered with `appendError` of its error (txn
   * T-21).
   */
  readonly reply: Reply;
}

/** The decision on a transaction (txn T-80). */
export interface Prepare {
  readonly outcome: 'commit' | 'abort';
  /** Of an abort. */
  readonly reason?: AbortReason;
  /** Identity under which the end was asked for: a client's, or the fence's. */
  readonly by: Identity;
  /** 2: the record's epoch is one above `by`'s (txn T-75). Below: the same. */
  readonly variant: 0 | 2;
}

/**
 * The owner of an open transaction is fenced first (txn T-48): `beginFence` of transitions.ts, then at once
 * `decideFencedAbort(entry, fence, circumstances)`, whose decision takes the place of this one.
 */
export interface Fence {
  readonly kind: 'fence';
  /** Epoch under which the internal EndTxn(ABORT) runs. */
  readonly epoch: number;
  readonly reason: 'init' | 'timeout';
}

/** What is to be done about a request. */
export type Decision = AnswerNow | Write | Fence;

/** Refuses, or agrees without an identity ('NONE'). */
export function answer(error: ErrorName, identity?: Identity): AnswerNow {
  return { kind: 'answer', reply: reply(error, identity) };
}

/** A reply; its identity is (-1, -1) unless given. */
export function reply(error: ErrorName, identity?: Identity): Reply {
  return { error, producerId: identity?.producerId ?? NONE, producerEpoch: identity?.producerEpoch ?? NONE };
}
