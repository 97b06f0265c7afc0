// What a partition log knows of transactions: the part of PartitionLog that producers' transactions need (txn sections 5.4
// and 6). partition-log.ts implements it.
import type { EpochMs, LeaderEpoch, Offset } from '../base/units.ts';
import type { TopicConfig } from '../protocol/config.ts';
import type { AppendInfo, AppendRefusal } from './api.ts';
import type { Marker } from './control-batch.ts';
import type { ProducerEntry } from './producer-entry.ts';

/** Stands for one verification under way (txn T-119): compared by identity, of this leader's memory only (txn T-122). */
export interface VerificationGuard {
  readonly producerId: number;
}

/** A transactional batch about to be verified, of one producer (txn T-119). */
export interface ToVerify {
  readonly producerId: number;
  readonly producerEpoch: number;
  /** Its first sequence; undefined for a coordinator's batch (txn T-62). */
  readonly baseSequence: number | undefined;
  /** Whether the request speaks transaction.version 2. */
  readonly version2: boolean;
}

/** A marker for the leader's log. */
export interface MarkerAppend {
  readonly marker: Marker;
  /** Client transaction version of the id: 2 is judged strictly (txn T-118). */
  readonly transactionVersion: number;
  readonly leaderEpoch: LeaderEpoch;
  /** Broker wall clock. */
  readonly now: EpochMs;
  readonly config: TopicConfig;
}

/** An entry of the aborted-transaction index (txn T-138). */
export interface AbortedEntry {
  readonly producerId: number;
  readonly firstOffset: Offset;
  /** Of the ABORT marker. */
  readonly lastOffset: Offset;
  readonly lastStableOffset: Offset;
}

export interface TransactionLog {
  /** Txn T-127. */
  readonly lastStableOffset: Offset;
  /** Txn T-126: smallest first offset of a transaction that is open or whose marker is not replicated. */
  readonly firstUnstableOffset: Offset | undefined;
  /**
   * What a transactional batch needs before it is appended (txn T-119): a refusal (INVALID_PRODUCER_EPOCH), undefined if the
   * transaction is open here at this very epoch, or the guard to append it with once its coordinator has said yes.
   */
  guardFor(batch: ToVerify): VerificationGuard | AppendRefusal | undefined;
  /** Appends a marker (txn T-115 to T-118). As `appendAsLeader`. */
  appendMarker(append: MarkerAppend, done: (info: AppendInfo) => void): AppendRefusal | undefined;
  /** Aborted transactions that overlap [from, upTo), and perhaps more, never fewer (txn T-140, T-141). */
  abortedIn(from: Offset, upTo: Offset): readonly AbortedEntry[];
  /** All producers that are known, by id (txn T-178). */
  producers(): ReadonlyMap<number, ProducerEntry>;
}
