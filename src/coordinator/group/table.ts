// The groups of one shard: which there are, now and as far as is committed (wire G-8), what records make of them, and
// whether a commit of offsets is theirs to refuse (wire G-32, G-44). Rebalances are not made here.
import { DecodeError } from '../../base/field-reader.ts';
import type { Offset } from '../../base/units.ts';
import type { RecordData } from '../../log/encode-batch.ts';
import type { ErrorName } from '../../protocol/errors.ts';
import type { AppliedRecord, Committer, GroupTable } from './contract.ts';
import { Group } from './group.ts';
import {
  GROUP_KEY_VERSION,
  decodeGroupKey,
  decodeGroupValue,
  encodeGroupKey,
  encodeGroupValue,
} from './group-record.ts';
import type { GroupRecord } from './group-record.ts';
import { tellState } from './rebalance.ts';
import { answerParked, startSession } from './sessions.ts';
import type { Shard } from './shard.ts';

export class Table implements GroupTable {
  readonly #shard: Shard;
  readonly #groups = new Map<string, Group>();
  /** Deleted by a record that is not committed yet: readers see them until then. */
  readonly #deleted = new Map<string, { readonly group: Group; readonly at: Offset }>();
  #loading = true;

  constructor(shard: Shard) {
    this.#shard = shard;
  }

  /** In order of creation. */
  get all(): ReadonlyMap<string, Group> {
    return this.#groups;
  }

  get(groupId: string): Group | undefined {
    return this.#groups.get(groupId);
  }

  ids(): readonly string[] {
    return [...this.#groups.keys()];
  }

  /** A new group, Empty. Its record is the caller's. */
  create(groupId: string): Group {
    const group = new Group(groupId, this.#now());
    this.#groups.set(groupId, group);
    return group;
  }

  /** Takes back a group whose first record could not be appended; who waits in it is answered `error`. */
  takeBack(group: Group, error: ErrorName): void {
    if (this.#groups.get(group.groupId) === group) this.#groups.delete(group.groupId);
    kill(group, error);
  }

  /** As readers see it: whether it exists follows from committed records alone, its state is of now (wire G-8). */
  shown(groupId: string): Group | undefined {
    const bound = this.#shard.highWatermark;
    const deleted = this.#deleted.get(groupId);
    if (deleted !== undefined && deleted.at >= bound) return deleted.group;
    const group = this.#groups.get(groupId);
    return group?.createdAt !== undefined && group.createdAt < bound ? group : undefined;
  }

  /** All that readers see, in order of creation. */
  allShown(): readonly Group[] {
    const ids = new Set([...this.#deleted.keys(), ...this.#groups.keys()]);
    return [...ids].flatMap((id) => this.shown(id) ?? []);
  }

  tombstone(groupId: string): RecordData {
    return { timestamp: this.#now(), key: encodeGroupKey(groupId), value: null };
  }

  /** The record of a generation (wire G-10). */
  record(groupId: string, value: GroupRecord): RecordData {
    return { timestamp: this.#now(), key: encodeGroupKey(groupId), value: encodeGroupValue(value) };
  }

  checkCommit(groupId: string, from: Committer, kind: 'plain' | 'transactional'): ErrorName {
    const { generationId, memberId, groupInstanceId } = from;
    const group = this.#groups.get(groupId);
    if (kind === 'plain' && !this.#shard.host.runtime.safeguard('group.generationFence')) return 'NONE';
    if (group === undefined) {
      if (generationId < 0) return 'NONE';
      return kind === 'plain' ? 'GROUP_ID_NOT_FOUND' : 'ILLEGAL_GENERATION';
    }
    if (generationId < 0 && group.state === 'Empty') return 'NONE';
    if (generationId < 0 && memberId === '' && groupInstanceId === '') {
      return kind === 'plain' ? 'UNKNOWN_MEMBER_ID' : 'NONE';
    }
    const problem = group.checkMember(memberId, groupInstanceId);
    if (problem !== 'NONE') return problem;
    if (generationId !== group.generation) return 'ILLEGAL_GENERATION';
    if (kind === 'transactional') return 'NONE';
    if (group.state === 'CompletingRebalance') return 'REBALANCE_IN_PROGRESS';
    startSession(this.#shard, group, group.members.get(memberId)!);
    return 'NONE';
  }

  /** An offset of this group stands at `offset`: there is such a group (wire G-32). */
  offsetApplied(groupId: string, offset: Offset): void {
    const group = this.#groups.get(groupId) ?? this.create(groupId);
    group.createdAt ??= offset;
  }

  /** A record that is no offset: of a group, or of a kind that is not known, which is passed over (wire G-9). */
  apply(record: AppliedRecord, version: number): void {
    if (version !== GROUP_KEY_VERSION) return this.#warn(record.offset, `its key has version ${version}`);
    try {
      const groupId = decodeGroupKey(record.key);
      if (record.value === null) this.#remove(groupId, record.offset);
      else if (this.#loading) this.#restore(groupId, decodeGroupValue(record.value), record.offset);
      // What is written now says what the group is already.
      else this.offsetApplied(groupId, record.offset);
    } catch (error) {
      if (!(error instanceof DecodeError || error instanceof RangeError)) throw error;
      this.#warn(record.offset, error.message);
    }
  }

  /** From now on records are written, not read. */
  loaded(): void {
    this.#loading = false;
  }

  /** Every group is dead; who waits is answered NOT_COORDINATOR (wire G-7). */
  end(): void {
    for (const group of this.#groups.values()) kill(group, 'NOT_COORDINATOR');
  }

  #remove(groupId: string, at: Offset): void {
    const group = this.#groups.get(groupId);
    if (group === undefined) return;
    this.#groups.delete(groupId);
    kill(group, 'UNKNOWN_MEMBER_ID');
    if (!this.#loading) tellState(this.#shard, group);
    for (const [id, deleted] of this.#deleted) if (deleted.at < this.#shard.highWatermark) this.#deleted.delete(id);
    const shown = new Group(groupId, group.stateSince);
    shown.protocolType = group.protocolType;
    this.#deleted.set(groupId, { group: shown, at });
  }

  #restore(groupId: string, record: GroupRecord, offset: Offset): void {
    const before = this.#groups.get(groupId);
    const group = this.create(groupId);
    group.createdAt = before?.createdAt ?? offset;
    group.restore(record);
  }

  #warn(offset: Offset, why: string): void {
    const where = `__consumer_offsets-${this.#shard.partition} at ${offset}`;
    this.#shard.host.runtime.trace({
      ...{ type: 'log.line', level: 'warn' },
      message: `${where}: the record is passed over: ${why}`,
    });
  }

  #now(): number {
    return this.#shard.host.runtime.clock.wallTime();
  }
}

/** Ends a group: no timer of it fires any more, and nobody waits in it. */
function kill(group: Group, error: ErrorName): void {
  group.joinTimer?.cancel();
  group.syncTimer?.cancel();
  // A step of theirs may be queued: it finds them gone.
  group.joinTimer = undefined;
  group.syncTimer = undefined;
  for (const timer of group.pendingJoin.values()) timer.cancel();
  group.pendingJoin.clear();
  for (const member of group.members.values()) {
    member.session?.cancel();
    member.session = undefined;
    answerParked(member, error);
  }
  group.transitionTo('Dead', group.stateSince);
}
