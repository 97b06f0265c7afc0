// The one maker of partition changes: fencing, unfencing, registration, shutdown, elections and AlterPartition all come
// through here, so that hold whatever the occasion. A reassignment ends with any change that lets
// it (repl R-107), in the same record.
import type { NodeId } from '../base/units.ts';
import { NO_LEADER } from '../base/units.ts';
import type { PartitionRegistration, RecoveryState } from '../metadata/image.ts';
import type { ChangeReason, PartitionDelta } from '../metadata/records.ts';
import { partitionChangeRecord } from '../metadata/records.ts';
import type { MetadataRecord } from '../protocol/generated/index.ts';
import type { Election } from './election.ts';
import { electLeader } from './election.ts';
import { arrivalWith, settled, type Assignment } from './reassignment.ts';

/** What should become of a partition. */
export interface ChangeTarget {
  readonly election: Election;
  /** See `Electorate.acceptable`. */
  readonly acceptable: (broker: NodeId) => boolean;
  /**
   * The ISR wanted; absent: as it is. Without eligible leader replicas, wanting an empty one keeps it as it is and lets nobody
   * in it lead (repl R-92).
   */
  readonly isr?: readonly NodeId[];
  /** Who may have lost what it held, or is no broker any longer, and is eligible no more (repl ). */
  readonly ineligible?: NodeId;
  /** Who shall have a replica (repl R-107). Absent: as it is. */
  readonly assignment?: Assignment;
  /** Absent: as it is. */
  readonly leaderRecoveryState?: RecoveryState;
  readonly reason: ChangeReason;
}

/** What holds for a partition beside its own state. */
export interface Circumstances {
  /** The min ISR below which members that leave stay eligible (repl R-98); absent: eligible leader replicas are off. */
  readonly minIsr?: number;
  /** Switched off (`elect.clean`): whoever lives is elected, and nothing says that records may be lost by it. */
  readonly cleanOnly: boolean;
  /** See `arrivalWith`. */
  readonly waitForAll: boolean;
}

/** Whether two ISRs have the same members; their order means nothing. */
export function sameMembers(a: readonly NodeId[], b: readonly NodeId[]): boolean {
  return a.length === b.length && a.every((id) => b.includes(id));
}

/**
 * The record that brings a partition to its target, or undefined if it is there already (repl R-62). A leader is
 * carried only if it differs from the one in office or some broker loses its replica, so that the leader epoch rises with
 * it and else not (repl R-85).
 */
export function buildPartitionChange(
  partition: PartitionRegistration,
  target: ChangeTarget,
  circumstances: Circumstances,
): MetadataRecord | undefined {
  const after = settle(partition, target, circumstances);
  const { leader, replicas } = after;
  const isLeaderCarried = leader !== partition.leader || partition.replicas.some((id) => !replicas.includes(id));
  const changed: Omit<PartitionDelta, 'reason'> = {
    ...(sameMembers(after.isr, partition.isr) ? {} : { isr: after.isr }),
    ...(isLeaderCarried ? { leader } : {}),
    ...(after.recovery === partition.leaderRecoveryState ? {} : { leaderRecoveryState: after.recovery }),
    ...(replicas.join() === partition.replicas.join() ? {} : { replicas }),
    ...(sameMembers(after.adding, partition.adding) ? {} : { adding: after.adding }),
    ...(sameMembers(after.removing, partition.removing) ? {} : { removing: after.removing }),
    ...(sameMembers(after.elr, partition.elr) ? {} : { elr: after.elr }),
    ...(sameMembers(after.lastKnownElr, partition.lastKnownElr) ? {} : { lastKnownElr: after.lastKnownElr }),
  };
  if (Object.keys(changed).length === 0) return undefined;
  return partitionChangeRecord(partition, { ...changed, reason: after.reason });
}

/** A partition as it will stand. */
interface Settled extends Assignment, Pick<PartitionRegistration, 'leader' | 'isr' | 'elr' | 'lastKnownElr'> {
  readonly recovery: RecoveryState;
  readonly reason: ChangeReason;
}

function settle(partition: PartitionRegistration, target: ChangeTarget, circumstances: Circumstances): Settled {
  const { acceptable, reason, leaderRecoveryState: recovery = partition.leaderRecoveryState } = target;
  const { minIsr, cleanOnly, waitForAll } = circumstances;
  const moving = target.assignment ?? partition;
  const arrival = arrivalWith(moving, target.isr ?? partition.isr, waitForAll);
  const { replicas, adding, removing } = arrival === undefined ? moving : settled(arrival.replicas);
  const isr = arrival?.isr ?? target.isr ?? partition.isr;
  const eligible = minIsr === undefined ? partition.elr : eligibleOf(partition, isr, minIsr);
  const elr = eligible.filter((id) => replicas.includes(id) && id !== target.ineligible);
  const known = partition.lastKnownElr.filter((id) => replicas.includes(id));
  const lastKnown = minIsr === undefined ? NO_LEADER : (known[0] ?? NO_LEADER);
  const election = cleanOnly || target.election.kind !== 'online' ? target.election : ({ kind: 'unclean' } as const);
  const electorate = { replicas, isr, elr, lastKnown, acceptable, leader: partition.leader };
  const elected = electLeader(electorate, election);

  const { leader } = elected;
  const last = minIsr === undefined ? partition.lastKnownElr : lastInOffice(partition, isr, elected.leader);
  const lastKnownElr = last.filter((id) => replicas.includes(id));
  const after = { replicas, adding, removing, leader, isr, elr, lastKnownElr, recovery, reason };
  if (elected.how !== 'clean') {
    const alone = { ...after, isr: [leader], elr: [] };
    return cleanOnly ? { ...alone, recovery: 'RECOVERING', reason: elected.how } : alone;
  }
  const isEligible = leader !== NO_LEADER && !isr.includes(leader);
  if (isEligible) return { ...after, isr: [leader], elr: minIsr === 1 ? [] : elr.filter((id) => id !== leader) };
  return isr.length === 0 && minIsr === undefined ? { ...after, isr: partition.isr } : after;
}

/** Repl R-98: below the min ISR, who leaves the ISR still holds what is committed, for that stands still (repl R-45). */
function eligibleOf(partition: PartitionRegistration, isr: readonly NodeId[], minIsr: number): readonly NodeId[] {
  if (isr.length >= minIsr) return [];
  const before = new Set([...partition.elr, ...partition.isr]);
  return [...before].filter((id) => !isr.includes(id));
}

/**
 * Repl R-98: who was in office when the partition lost its leader, until there is another. If that was before leaders were
 * remembered, it was the one that stayed in the ISR alone (repl R-92).
 */
function lastInOffice(before: PartitionRegistration, isr: readonly NodeId[], elected: NodeId): readonly NodeId[] {
  if (elected !== NO_LEADER) return [];
  if (before.leader !== NO_LEADER) return [before.leader];
  return before.lastKnownElr.length > 0 || isr.length > 0 ? before.lastKnownElr : before.isr.slice(0, 1);
}
