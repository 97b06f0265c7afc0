// What an assignor is: a pure function from members and partition counts to who reads what. The leader of a group runs the
// one that all members support (wire G-21).
import type { TopicPartition } from '../../../base/units.ts';
import type { Subscription } from './consumer-protocol.ts';

/** A member as the leader sees it. */
export interface AssignedMember extends Subscription {
  readonly memberId: string;
  /** Static name; empty if dynamic. */
  readonly instanceId: string;
}

/** Partitions by member id. Every member has an entry. */
export type Assignments = Map<string, TopicPartition[]>;

/**
 * `eager`: a member gives up everything before it joins. `cooperative`: it holds on, and gives up what is missing in its
 * next assignment.
 */
export type RebalanceProtocol = 'eager' | 'cooperative';

export interface Assignor {
  /** Kafka's name of it. */
  readonly name: string;
  readonly protocol: RebalanceProtocol;
  /** What a member adds to its subscription, if anything. */
  readonly userData?: (generationId: number) => Buffer;
  /**
   * Topics that nobody knows have no entry in `partitionCounts`. `inHaste`: a cooperative one does not wait until what moves was
   * given up (BUG-71).
   */
  assign(
    partitionCounts: ReadonlyMap<string, number>,
    members: readonly AssignedMember[],
    inHaste?: boolean,
  ): Assignments;
}

/** Static members first, by name, then the others by id: a member that restarts keeps its place. */
export function inOrder(members: readonly AssignedMember[]): AssignedMember[] {
  return [...members].sort((a, b) => {
    if (a.instanceId !== '' && b.instanceId !== '') return compare(a.instanceId, b.instanceId);
    if (a.instanceId !== '' || b.instanceId !== '') return a.instanceId !== '' ? -1 : 1;
    return compare(a.memberId, b.memberId);
  });
}

/** By code units, as Java compares. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** One empty entry for each member. */
export function emptyAssignments(members: readonly AssignedMember[]): Assignments {
  return new Map(members.map(({ memberId }) => [memberId, []]));
}

/** Topics that somebody subscribes to, sorted, each with its subscribers in the order of `members`. */
export function subscribers(members: readonly AssignedMember[]): [string, AssignedMember[]][] {
  const topics = new Map<string, AssignedMember[]>();
  for (const member of members) {
    for (const topic of new Set(member.topics)) topics.set(topic, [...(topics.get(topic) ?? []), member]);
  }
  return [...topics].sort(([a], [b]) => compare(a, b));
}
