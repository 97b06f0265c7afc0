// What the halves of the group coordinator ask of each other: membership, offsets, and the shard under both. A shard does
// one thing after the other (wire G-2): a step sees everything appended before it, so an append that fails has changed
// nothing, and nothing ever needs to be undone but by dropping the whole shard (wire G-7, G-8).
import type { EpochMs, LeaderEpoch, Offset } from '../../base/units.ts';
import type { AppendInfo } from '../../log/api.ts';
import type { Marker } from '../../log/control-batch.ts';
import type { RecordData } from '../../log/encode-batch.ts';
import type { VerificationGuard } from '../../log/transactions-api.ts';
import type { ErrorName } from '../../protocol/errors.ts';
import type { CoordinatorHost } from '../host.ts';
import type { GroupCoordinator } from './api.ts';
import type { OffsetView } from './offsets/offset-entry.ts';
import type { OffsetKey } from './offsets/offset-record.ts';

/** The states of a group (wire section 9). `Dead`: its shard is gone. */
export type GroupState = 'Empty' | 'PreparingRebalance' | 'CompletingRebalance' | 'Stable' | 'Dead';

/** Finds shards. */
export interface Shards {
  readonly host: CoordinatorHost;
  /** False before the start and after the stop: COORDINATOR_NOT_AVAILABLE before any other check (wire G-4). */
  readonly running: boolean;
  /**
   * Runs `step` in its turn on the shard of this group, perhaps at once. Otherwise `refuse`, once, perhaps at once: wire G-4,
   * and NOT_COORDINATOR if the shard ends while the step waits. Empty group ids are the caller's (wire G-5).
   */
  enter(groupId: string, step: (shard: GroupShard) => void, refuse: (error: ErrorName) => void): void;
  /** The same for a partition of __consumer_offsets. */
  enterPartition(partition: number, step: (shard: GroupShard) => void, refuse: (error: ErrorName) => void): void;
  /** Partitions that are loaded here, ascending. */
  loaded(): readonly number[];
}

/** A batch for the shard's log. */
export interface ShardBatch {
  /** At least one. Offset records (key versions 0 and 1) and group tombstones are applied by the shard itself. */
  readonly records: readonly RecordData[];
  /** Makes it a transactional batch of this producer, with base sequence 0 (wire G-43). */
  readonly transaction?: {
    readonly producerId: number;
    readonly producerEpoch: number;
    readonly guard: VerificationGuard | undefined;
  };
}

/** What becomes of an append. `committed` or `failed` comes once, last, and never inside the call. */
export interface ShardAppendEvents {
  /**
   * It is in the local log and was applied. Nobody was woken yet: a step point may stand here; `proceed` must be called
   * once. Left out: goes on.
   */
  appended?(info: AppendInfo, proceed: () => void): void;
  /** It is below the high watermark, at this coordinator epoch (BUG-15). */
  committed(info: AppendInfo): void;
  /**
   * Not translated (see `writeError`). NOT_COORDINATOR: the shard is over. Whether it was appended: if `appended` was
   * called. If it was, it stays applied, and may commit later (wire G-8).
   */
  failed(error: ErrorName): void;
}

/** One partition of __consumer_offsets while this broker coordinates it: valid within a step, and while `alive`. */
export interface GroupShard {
  readonly partition: number;
  readonly coordinatorEpoch: LeaderEpoch;
  /** False once it has resigned: nothing of it may be answered or appended any more. */
  readonly alive: boolean;
  readonly groups: GroupTable;
  readonly offsets: OffsetState;
  /** What is below it is committed: what reads without requireStable may see (wire G-8). */
  readonly highWatermark: Offset;
  /** Appends a batch; at most one append a step. The next step runs once this is applied, or has failed. */
  append(batch: ShardBatch, on: ShardAppendEvents): void;
  /** Appends a marker, and applies it to `offsets` (wire G-46). As `append`. */
  appendMarker(marker: Marker & { readonly transactionVersion: number }, on: ShardAppendEvents): void;
  /**
   * Calls `done`, perhaps at once, when everything appended up to now is committed (wire G-8); after
   * offsets.commit.timeout.ms with REQUEST_TIMED_OUT, and with NOT_COORDINATOR when the shard ends. Not translated.
   */
  whenCommitted(done: (error: ErrorName) => void): void;
  /** Runs `step` in its turn, unless the shard has ended by then. For timers and steps that a fault held. */
  enter(step: () => void): void;
}

/** Who commits offsets, as its request says. */
export interface Committer {
  /** Negative: not in the group. */
  readonly generationId: number;
  /** Empty: none. */
  readonly memberId: string;
  /** Empty: none. */
  readonly groupInstanceId: string;
}

/** Membership, as offsets see it. */
export interface GroupTable {
  /**
   * Whether offsets may be committed: wire G-32 ('plain'; it also resets the member's session, wire G-33) or G-44
   * ('transactional'). The group need not exist: the record itself creates it. Switches are the caller's.
   */
  checkCommit(groupId: string, from: Committer, kind: 'plain' | 'transactional'): ErrorName;
  /** The group as it is now, undefined if there is none. */
  get(groupId: string): GroupView | undefined;
  /** Ids of all groups, in order of creation. */
  ids(): readonly string[];
  /** The record whose append deletes the group (wire G-37, G-41). */
  tombstone(groupId: string): RecordData;
}

/** A group, as offsets see it. */
export interface GroupView {
  readonly groupId: string;
  readonly state: GroupState;
  /** Empty: it has offsets alone. */
  readonly protocolType: string;
  /** When it entered its state, broker's wall clock; -1 unknown (wire G-41). */
  readonly stateSince: EpochMs;
  /** Whether a member may be subscribed to the topic (wire G-40). */
  subscribes(topic: string): boolean;
}

/** A record as it was appended, or read again. Key and value are views: copy what is kept. */
export interface AppliedRecord {
  readonly offset: Offset;
  readonly key: Buffer;
  /** Null: a tombstone. */
  readonly value: Buffer | null;
}

/** The offsets of one shard. Both `apply` and `endTransaction` are called in log order, by load and by appends alike (wire G-47). */
export interface OffsetState {
  /**
   * An offset record (key versions 0 and 1). `producerId`: it is pending (wire G-12). Returns the group of a commit, whose
   * existence follows from it; undefined for a tombstone and for what cannot be read (which is warned of, wire G-9).
   */
  apply(record: AppliedRecord, producerId: number | undefined): string | undefined;
  /** A marker stands at `offset` (wire G-47). */
  endTransaction(producerId: number, outcome: 'commit' | 'abort', offset: Offset): void;
  /** The log was read: what is traced and told of from now on is new. */
  loaded(): void;
  /** Tombstones for all offsets of a group, pending ones too (wire G-37). */
  tombstones(groupId: string): readonly RecordData[];
  /** The record whose append deletes one offset, committed and pending (txn T-68). */
  tombstone(key: OffsetKey): RecordData;
  /** What is known of one partition; undefined: nothing. It may have been deleted, for readers of the committed. */
  entry(groupId: string, topic: string, partition: number): OffsetView | undefined;
  /** All that a group has with everything appended, committed or pending; by topic and partition. */
  entries(groupId: string): readonly OffsetView[];
  /** All that it has below the high watermark. */
  committedEntries(groupId: string): readonly OffsetView[];
  /** Groups that have offsets. */
  groupIds(): readonly string[];
  /** Groups with something pending of this producer. */
  groupsOf(producerId: number): readonly string[];
}

/** What the offset store of a shard is made with. */
export interface OffsetEnvironment {
  readonly host: CoordinatorHost;
  readonly partition: number;
  readonly coordinatorEpoch: LeaderEpoch;
  /** High watermark of the shard's log. */
  highWatermark(): Offset;
}

/**
 * The requests about offsets: `createOffsetHandlers(shards: Shards): OffsetHandlers` of offsets/handlers.ts. The store is
 * `new OffsetStore(environment: OffsetEnvironment)` of offsets/offset-store.ts.
 */
export type OffsetHandlers = Pick<
  GroupCoordinator,
  | 'start'
  | 'stop'
  | 'topicsDeleted'
  | 'writeMarker'
  | 'offsetCommit'
  | 'txnOffsetCommit'
  | 'offsetFetch'
  | 'offsetDelete'
>;
