// What a coordinator asks of the broker it lives in. The broker (src/node) implements it; nothing here knows of requests.
// A shard is one partition of an internal topic while this broker leads it at one leader epoch: the coordinator epoch.
import type { BrokerEpoch, DurationMs, LeaderEpoch, NodeId, Offset } from '../base/units.ts';
import type { AppendInfo, PartitionLog } from '../log/api.ts';
import type { Marker } from '../log/control-batch.ts';
import type { VerificationGuard } from '../log/transactions-api.ts';
import type { MetadataImage } from '../metadata/image.ts';
import type { NodeConfig } from '../protocol/config.ts';
import type { ErrorName } from '../protocol/errors.ts';
import type { Runtime } from '../runtime/ports.ts';

/** A partition of an internal topic, led by this broker at this epoch. */
export interface Shard {
  readonly topic: '__transaction_state' | '__consumer_offsets';
  readonly partition: number;
  readonly leaderEpoch: LeaderEpoch;
}

/** How an append of a coordinator is made. */
export interface WriteOptions {
  /** Refuse while ISR < min.insync.replicas, as acks=all does (txn T-8). Groups do not (wire G-2, txn T-62). */
  readonly refuseBelowMinIsr: boolean;
  /** Longest wait for the high watermark, ms (txn T-20, wire G-8). */
  readonly timeoutMs: DurationMs;
  /** Of a transactional batch: the guard of its verification (txn T-99). */
  readonly guard?: VerificationGuard;
}

/** What becomes of a write. Each is called later, never inside the call; `committed` or `failed` once, last. */
export interface WriteEvents {
  /**
   * The log end has moved past it. Nobody was woken yet: no follower has it before `proceed`, which must be called once.
   * A step point stands here, and holding it keeps the partition's queue (design section 6).
   */
  appended(info: AppendInfo, proceed: () => void): void;
  /** The high watermark covers it, in this epoch. */
  committed(info: AppendInfo): void;
  /**
   * `maybe`: it is in the local log, or may be (NOT_LEADER_OR_FOLLOWER after the append, REQUEST_TIMED_OUT): it may still become
   * durable (txn T-23). Otherwise nothing was appended. Errors as a produce would have (txn T-21, wire G-6).
   */
  failed(error: ErrorName, maybe: boolean): void;
}

/** A partition of a transaction that is to be written to (txn T-119). */
export interface Verification {
  readonly transactionalId: string;
  readonly producerId: number;
  readonly producerEpoch: number;
  /** 2: adds it (txn T-59). Below: only asks. */
  readonly transactionVersion: number;
}

export interface CoordinatorHost {
  readonly runtime: Runtime;
  readonly config: NodeConfig;
  readonly me: NodeId;
  /** Switched before anybody is told (repl R-101). */
  readonly image: MetadataImage;
  brokerEpoch(): BrokerEpoch;
  /** False while this broker has not heard of the controller for longer than a session: it may have been replaced (txn W-23). */
  readonly inTouch: boolean;
  /** Leader epoch at which this broker leads the partition now; undefined if it does not, or not yet or no more. */
  leads(topic: string, partition: number): LeaderEpoch | undefined;
  /** The log of a shard, to be read to its end (txn T-25). Undefined if the shard is over. */
  log(shard: Shard): PartitionLog | undefined;
  /** Appends one batch, made with base offset 0: the log gives it its place. */
  write(shard: Shard, batch: Buffer, options: WriteOptions, on: WriteEvents): void;
  /** Appends a marker to a shard of __consumer_offsets (txn T-85, wire G-46). The marker is checked as T-116, T-118. */
  writeMarker(
    shard: Shard,
    marker: Marker & { readonly transactionVersion: number },
    options: WriteOptions,
    on: WriteEvents,
  ): void;
  /** Calls `done` once all below `offset` is committed (wire G-8), or with the error of a write that waits as long. */
  whenCommitted(shard: Shard, offset: Offset, timeoutMs: DurationMs, done: (error: ErrorName) => void): void;
  /** Verifies, or adds, the partition of a shard (txn T-119 to T-121; TxnOffsetCommit's mapping is T-66, the caller's). */
  verify(
    shard: Shard,
    of: Verification,
    done: (outcome: { readonly error: ErrorName; readonly guard?: VerificationGuard }) => void,
  ): void;
  /** A fresh producer id; undefined if there is none at hand (txn T-37: COORDINATOR_LOAD_IN_PROGRESS). */
  nextProducerId(): number | undefined;
}
