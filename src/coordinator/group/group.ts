// A classic group (wire G-13, section 9): its members and what follows from them. Knows no log, no clock and no requests:
// the handlers drive it. The legal transitions are asserted here.
import { assert } from '../../base/assert.ts';
import type { EpochMs, Offset } from '../../base/units.ts';
import type { ErrorName } from '../../protocol/errors.ts';
import type { Timer } from '../../runtime/ports.ts';
import type { GroupState, GroupView } from './contract.ts';
import type { GroupRecord } from './group-record.ts';
import { metadataOf, newMember } from './member.ts';
import type { Member } from './member.ts';
import { subscribedTopics } from './subscription.ts';

/** The states each state may be entered from (wire section 9). */
const VALID_PREVIOUS: Readonly<Record<GroupState, readonly GroupState[]>> = {
  Empty: ['PreparingRebalance'],
  PreparingRebalance: ['Stable', 'CompletingRebalance', 'Empty'],
  CompletingRebalance: ['PreparingRebalance'],
  Stable: ['CompletingRebalance'],
  Dead: ['Empty', 'PreparingRebalance', 'CompletingRebalance', 'Stable', 'Dead'],
};

export class Group implements GroupView {
  readonly groupId: string;
  generation = 0;
  protocolType = '';
  protocolName = '';
  /** Empty: none. */
  leaderId = '';
  stateSince: EpochMs;
  /** Where the record stands that made it; undefined: it is not in the log yet. */
  createdAt: Offset | undefined;
  /** Preparing was entered from Empty: nobody ends it early but an expiry (wire G-20). */
  initial = false;
  /** Somebody joined since the initial delay began, or was prolonged. */
  joinedMeanwhile = false;
  /** The leader's assignments are being written. */
  assigning = false;
  /** Ends the join phase. */
  joinTimer: Timer | undefined;
  /** Ends the wait for SyncGroups. */
  syncTimer: Timer | undefined;
  /** Ids that were given out but have not joined yet, with their session timers (wire G-18). */
  readonly pendingJoin = new Map<string, Timer>();
  /** Members of this generation that have not sent a SyncGroup yet. */
  readonly pendingSync = new Set<string>();
  /** Instance id to member id. */
  readonly staticMembers = new Map<string, string>();
  #members = new Map<string, Member>();
  #state: GroupState = 'Empty';

  constructor(groupId: string, now: EpochMs) {
    this.groupId = groupId;
    this.stateSince = now;
  }

  get state(): GroupState {
    return this.#state;
  }
  /** In join order. */
  get members(): ReadonlyMap<string, Member> {
    return this.#members;
  }
  get parkedJoinCount(): number {
    let count = 0;
    for (const member of this.#members.values()) if (member.parkedJoin !== undefined) count++;
    return count;
  }
  /** Nobody who could still join is missing. */
  get allJoined(): boolean {
    return this.pendingJoin.size === 0 && this.parkedJoinCount === this.#members.size;
  }
  /** How long a rebalance waits: the longest that a member asks for, ms. */
  get rebalanceTimeoutMs(): number {
    let longest = 0;
    for (const member of this.#members.values()) longest = Math.max(longest, member.rebalanceTimeoutMs);
    return longest;
  }

  transitionTo(state: GroupState, now: EpochMs): void {
    assert(VALID_PREVIOUS[state].includes(this.#state), `wire G-14: ${this.groupId}: ${this.#state} -> ${state}`);
    this.initial = state === 'PreparingRebalance' && this.#state === 'Empty';
    this.joinedMeanwhile = false;
    this.#state = state;
    this.stateSince = now;
  }

  /** Adds a member; the first becomes leader and brings the protocol type (wire G-14). */
  add(member: Member, protocolType: string): void {
    const { memberId, groupInstanceId } = member;
    assert(!this.#members.has(memberId), `wire G-13: ${memberId} is a member already`);
    if (this.#members.size === 0) this.protocolType = protocolType;
    if (this.leaderId === '') this.leaderId = memberId;
    this.#members.set(memberId, member);
    if (groupInstanceId !== '') this.staticMembers.set(groupInstanceId, memberId);
    this.pendingJoin.get(memberId)?.cancel();
    this.pendingJoin.delete(memberId);
  }

  /** Removes a member or a pending id, if it is one. What is parked is the caller's to answer first. */
  remove(memberId: string): void {
    const member = this.#members.get(memberId);
    this.pendingJoin.get(memberId)?.cancel();
    this.pendingJoin.delete(memberId);
    this.pendingSync.delete(memberId);
    if (member === undefined) return;
    member.session?.cancel();
    const next = this.#after(memberId, () => true);
    this.#members.delete(memberId);
    if (member.groupInstanceId !== '') this.staticMembers.delete(member.groupInstanceId);
    if (this.leaderId === memberId) this.leaderId = next?.memberId ?? '';
  }

  /** Gives a static member a new id in the place of the old one, and all that it had (wire G-23). */
  rename(oldId: string, newId: string): Member {
    const old = this.#members.get(oldId);
    assert(old !== undefined && old.groupInstanceId !== '', `wire G-23: ${oldId} is no static member`);
    old.session?.cancel();
    const renamed: Member = {
      ...old,
      memberId: newId,
      parkedJoin: undefined,
      parkedSync: undefined,
      session: undefined,
    };
    this.#members = new Map([...this.#members].map(([id, member]) => (id === oldId ? [newId, renamed] : [id, member])));
    this.staticMembers.set(old.groupInstanceId, newId);
    if (this.leaderId === oldId) this.leaderId = newId;
    if (this.pendingSync.delete(oldId)) this.pendingSync.add(newId);
    return renamed;
  }

  /** Whether a sender is the member it says it is (wire G-19): UNKNOWN_MEMBER_ID, FENCED_INSTANCE_ID or NONE. */
  checkMember(memberId: string, groupInstanceId: string): ErrorName {
    if (groupInstanceId !== '') {
      const mapped = this.staticMembers.get(groupInstanceId);
      if (mapped === undefined) return 'UNKNOWN_MEMBER_ID';
      if (mapped !== memberId) return 'FENCED_INSTANCE_ID';
    }
    return this.#members.has(memberId) ? 'NONE' : 'UNKNOWN_MEMBER_ID';
  }

  /** Whether somebody with these protocols may join (wire G-17). */
  supports(protocolType: string, names: readonly string[]): boolean {
    if (this.#state === 'Empty') return protocolType !== '' && names.length > 0;
    return protocolType === this.protocolType && names.some((name) => this.#supportedByAll(name));
  }

  /** The protocol of the next generation: most votes, then the leader's order (wire G-21). Needs a member. */
  selectProtocol(): string {
    const votes = new Map<string, number>();
    for (const { protocols } of this.#members.values()) {
      const vote = protocols.find(({ name }) => this.#supportedByAll(name));
      assert(vote !== undefined, `wire G-17: the members of ${this.groupId} support no protocol in common`);
      votes.set(vote.name, (votes.get(vote.name) ?? 0) + 1);
    }
    const most = Math.max(...votes.values());
    const leader = this.#members.get(this.leaderId);
    assert(leader !== undefined, `wire G-14: ${this.groupId} has members and no leader`);
    return leader.protocols.find(({ name }) => votes.get(name) === most)!.name;
  }

  /** Makes sure that the leader has rejoined, or lets one lead who has. False if nobody has (wire G-14). */
  electJoinedLeader(): boolean {
    if (this.leaderId === '') return false;
    if (this.#members.get(this.leaderId)?.parkedJoin !== undefined) return true;
    const next = this.#after(this.leaderId, (member) => member.parkedJoin !== undefined);
    if (next === undefined) return false;
    this.leaderId = next.memberId;
    return true;
  }

  /** A member may be subscribed to this topic (wire G-40). */
  subscribes(topic: string): boolean {
    if (this.protocolType !== 'consumer') return false;
    for (const member of this.#members.values()) {
      const topics = subscribedTopics(metadataOf(member, this.protocolName));
      if (topics === undefined || topics.includes(topic)) return true;
    }
    return false;
  }

  /** As it is written, with these assignments (wire G-10). */
  record(assignments: (memberId: string) => Buffer): GroupRecord {
    const { protocolType, generation, protocolName: protocol, leaderId: leader, stateSince } = this;
    const members = [...this.#members.values()].map((member) => ({
      ...member,
      subscription: metadataOf(member, protocol),
      assignment: assignments(member.memberId),
    }));
    return { protocolType, generation, protocol, leader, stateSince, members };
  }

  /** Becomes what a record says (wire G-11). For a group that was just made. */
  restore(record: GroupRecord): void {
    this.generation = record.generation;
    this.protocolName = record.protocol;
    this.stateSince = record.stateSince;
    for (const { subscription, assignment, ...identity } of record.members) {
      const protocols = [{ name: record.protocol, metadata: subscription }];
      this.add({ ...newMember({ ...identity, protocols }), assignment }, record.protocolType);
    }
    this.protocolType = record.protocolType;
    if (record.members.length === 0) return;
    this.#state = 'Stable';
    if (this.#members.has(record.leader)) this.leaderId = record.leader;
  }

  #supportedByAll(name: string): boolean {
    for (const { protocols } of this.#members.values()) {
      if (!protocols.some((protocol) => protocol.name === name)) return false;
    }
    return true;
  }

  /** The next member after this one in join order, round the corner, for whom `suits` holds; never itself. */
  #after(memberId: string, suits: (member: Member) => boolean): Member | undefined {
    const members = [...this.#members.values()];
    const at = members.findIndex((member) => member.memberId === memberId);
    const others = [...members.slice(at + 1), ...members.slice(0, Math.max(at, 0))];
    return others.find(suits);
  }
}
