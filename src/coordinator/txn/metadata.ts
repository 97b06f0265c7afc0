// What a coordinator knows of one transactional id: a value that never changes in place, and the live entry of its
// cache that holds the current one (txn T-12, T-13). How it changes is transitions.ts; how it is written down is
// record-codec.ts.
import type { DurationMs, EpochMs, TopicPartition } from '../../base/units.ts';

/** By id (txn T-13). The last two are only ever pending: never written, never the current state. */
export const TRANSACTION_STATES = [
  'Empty',
  'Ongoing',
  'PrepareCommit',
  'PrepareAbort',
  'CompleteCommit',
  'CompleteAbort',
  'Dead',
  'PrepareEpochFence',
] as const;

/** Kafka's name of a state. */
export type TransactionState = (typeof TRANSACTION_STATES)[number];

/** Number of a state in a record (txn T-13). */
export function stateId(state: TransactionState): number {
  return TRANSACTION_STATES.indexOf(state);
}

/** How a transaction ends. */
export type Outcome = 'commit' | 'abort';

/** No producer id, no epoch, no start time. */
export const NONE = -1;
/** Clients are given epochs up to this one, where a producer id is used up (txn T-46, T-47, T-77). */
export const LAST_CLIENT_EPOCH = 32766;
/** Reserved, so that a producer at 32766 can still be fenced (txn T-47). */
export const FENCE_EPOCH = 32767;

/** A transactional id as it is in force, or as a record will put it in force (txn T-12). */
export interface TransactionMetadata {
  readonly transactionalId: string;
  readonly producerId: number;
  /**
   * The id before this one, until the next transition (txn T-12). Equal to `producerId` unless that one rotated; -1
   * unknown.
   */
  readonly previousProducerId: number;
  /** The id that completion rotates to (txn T-77); -1 none. */
  readonly nextProducerId: number;
  /** -1: a new id, nothing of it is written down yet (txn T-42). */
  readonly producerEpoch: number;
  /** The epoch before this one, by which retries are recognised (txn T-46); -1 none or unknown. */
  readonly lastProducerEpoch: number;
  /** The owner's transaction timeout. 2147483647 never times out (txn T-34). */
  readonly timeoutMs: DurationMs;
  readonly state: TransactionState;
  /**
   * Sorted by topic (UTF-16 units) and partition, without repeats. In PrepareX those that still lack their marker
   * (txn T-16).
   */
  readonly partitions: readonly TopicPartition[];
  /** Wall clock of the transaction's start (txn T-15); -1 none. */
  readonly startTimeMs: EpochMs;
  /** Wall clock of the last transition. */
  readonly lastUpdateMs: EpochMs;
  /** Variant of the protocol that the last request of the transaction spoke: 0 or 2 (txn T-190). */
  readonly clientTransactionVersion: number;
}

/** What the cache holds of one id. The machine changes it, through transitions.ts only. */
export interface TransactionEntry {
  metadata: TransactionMetadata;
  /** Target of the transition under way (txn T-18); undefined: none. */
  pendingState: TransactionState | undefined;
  /** A fence of transaction.version 0 or 1 raised the epoch, and its append failed (txn T-48). */
  hasFailedEpochFence: boolean;
}

/** An id that nobody has used (txn T-42): to be put into the cache before it is decided about. */
export function newEntry(of: {
  readonly transactionalId: string;
  readonly producerId: number;
  readonly timeoutMs: DurationMs;
  readonly nowMs: EpochMs;
}): TransactionEntry {
  return loadedEntry({
    transactionalId: of.transactionalId,
    producerId: of.producerId,
    previousProducerId: NONE,
    nextProducerId: NONE,
    producerEpoch: NONE,
    lastProducerEpoch: NONE,
    timeoutMs: of.timeoutMs,
    state: 'Empty',
    partitions: [],
    startTimeMs: NONE,
    lastUpdateMs: of.nowMs,
    clientTransactionVersion: 0,
  });
}

/** The entry of an id as its last record has it (txn T-25); nothing is pending. */
export function loadedEntry(metadata: TransactionMetadata): TransactionEntry {
  return { metadata, pendingState: undefined, hasFailedEpochFence: false };
}
