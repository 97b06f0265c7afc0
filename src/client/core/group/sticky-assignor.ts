// `cooperative-sticky`: members keep what they have as far as balance allows, and a partition that moves is first taken from
// the one and given to the other a generation later, so that no two hold it at once and what stays is never interrupted.
import { formatPartition, type TopicPartition } from '../../../base/units.ts';
import {
  compare,
  emptyAssignments,
  inOrder,
  subscribers,
  type AssignedMember,
  type Assignments,
  type Assignor,
} from './assignor.ts';

/** Bytes of what older members of this protocol say of their generation. */
const GENERATION_BYTES = 4;

export const COOPERATIVE_STICKY: Assignor = {
  name: 'cooperative-sticky',
  protocol: 'cooperative',
  userData(generationId) {
    const bytes = Buffer.alloc(GENERATION_BYTES);
    bytes.writeInt32BE(generationId);
    return bytes;
  },
  assign(partitionCounts, members, inHaste = false) {
    const assignments = balanced(partitionCounts, members);
    return inHaste ? assignments : withoutMoving(members, assignments);
  },
};

/** The assignment that the group is on its way to: as even as subscriptions allow, with as few moves as possible. */
export function balanced(
  partitionCounts: ReadonlyMap<string, number>,
  members: readonly AssignedMember[],
): Assignments {
  const ring = inOrder(members);
  const readers = new Map<string, readonly AssignedMember[]>(subscribers(ring));
  const topics = [...readers.keys()].filter((topic) => (partitionCounts.get(topic) ?? 0) > 0);
  const assignments = emptyAssignments(members);
  const load = (member: AssignedMember): number => assignments.get(member.memberId)!.length;
  const owners = ownersOf(partitionCounts, ring);
  const free: TopicPartition[] = [];
  // Topics with few readers first: their partitions can go nowhere else.
  topics.sort((a, b) => readers.get(a)!.length - readers.get(b)!.length || compare(a, b));
  for (const topic of topics) {
    for (let partition = 0; partition < partitionCounts.get(topic)!; partition++) {
      const owner = owners.get(formatPartition(topic, partition));
      if (owner === undefined) free.push({ topic, partition });
      else assignments.get(owner.memberId)!.push({ topic, partition });
    }
  }
  for (const of of free) assignments.get(leastLoaded(readers.get(of.topic)!, load).memberId)!.push(of);
  while (moveOne(ring, readers, assignments));
  return assignments;
}

/**
 * Who holds what, as far as it can be believed: of two that claim a partition, the one of the newer generation; of the same
 * generation, nobody.
 */
function ownersOf(
  partitionCounts: ReadonlyMap<string, number>,
  members: readonly AssignedMember[],
): Map<string, AssignedMember> {
  const claims = new Map<string, { readonly generation: number; readonly member: AssignedMember | undefined }>();
  for (const member of members) {
    const generation = generationOf(member);
    for (const { topic, partition } of member.owned) {
      if (!member.topics.includes(topic) || partition >= (partitionCounts.get(topic) ?? 0)) continue;
      const name = formatPartition(topic, partition);
      const other = claims.get(name);
      if (other === undefined || other.generation < generation) claims.set(name, { generation, member });
      else if (other.generation === generation) claims.set(name, { generation, member: undefined });
    }
  }
  return new Map([...claims].flatMap(([name, { member }]) => (member === undefined ? [] : [[name, member]])));
}

/** Members of older versions say it in the user data. */
function generationOf({ generationId, userData }: AssignedMember): number {
  if (generationId >= 0 || userData === null || userData.length < GENERATION_BYTES) return generationId;
  return userData.readInt32BE(0);
}

function leastLoaded(members: readonly AssignedMember[], load: (member: AssignedMember) => number): AssignedMember {
  let least = members[0]!;
  for (const member of members) if (load(member) < load(least)) least = member;
  return least;
}

/** Moves a partition from the most loaded member that can give one to a reader with at least two less. */
function moveOne(
  ring: readonly AssignedMember[],
  readers: ReadonlyMap<string, readonly AssignedMember[]>,
  assignments: Assignments,
): boolean {
  const load = (member: AssignedMember): number => assignments.get(member.memberId)!.length;
  for (const giver of [...ring].sort((a, b) => load(b) - load(a))) {
    const held = assignments.get(giver.memberId)!;
    // What came last goes first: what was held all along stands before it.
    for (let at = held.length - 1; at >= 0; at--) {
      const taker = leastLoaded(readers.get(held[at]!.topic)!, load);
      if (load(taker) > held.length - 2) continue;
      assignments.get(taker.memberId)!.push(...held.splice(at, 1));
      return true;
    }
  }
  return false;
}

/** Takes out what would move from another member: it gives it up in this generation, and the next one hands it on. */
function withoutMoving(members: readonly AssignedMember[], assignments: Assignments): Assignments {
  const holders = new Map<string, string[]>();
  for (const { memberId, owned } of members) {
    for (const { topic, partition } of owned) {
      const name = formatPartition(topic, partition);
      holders.set(name, [...(holders.get(name) ?? []), memberId]);
    }
  }
  const mayRead = (memberId: string, { topic, partition }: TopicPartition): boolean => {
    const known = holders.get(formatPartition(topic, partition));
    return known === undefined || known.includes(memberId);
  };
  return new Map(
    [...assignments].map(([memberId, partitions]) => [memberId, partitions.filter((of) => mayRead(memberId, of))]),
  );
}
