// The one maker of partition changes: fencing, unfencing, registration, shutdown, elections and AlterPartition all come
// through here, so that hold whatever the occasion. Eligible leader replicas and reassignment
// would be further targets of a change, settled between the election and the record.
import type { NodeId } from '../base/units.ts';
import type { PartitionRegistration, RecoveryState } from '../metadata/image.ts';
import type { ChangeReason, PartitionDelta } from '../metadata/records.ts';
import { partitionChangeRecord } from '../metadata/records.ts';
import type { MetadataRecord } from '../protocol/generated/index.ts';
import type { Election } from './election.ts';
import { electLeader } from './election.ts';

/** What should become of a partition. */
export interface ChangeTarget {
  readonly election: Election;
  /** See `Electorate.acceptable`. */
  readonly acceptable: (broker: NodeId) => boolean;
  /** The ISR wanted; absent: as it is. Wanting an empty one keeps it as it is and lets nobody in it lead (repl R-92). */
  readonly isr?: readonly NodeId[];
  /** Absent: as it is. */
  readonly leaderRecoveryState?: RecoveryState;
  readonly reason: ChangeReason;
}

/** Whether two ISRs have the same members; their order means nothing. */
export function sameMembers(a: readonly NodeId[], b: readonly NodeId[]): boolean {
  return a.length === b.length && a.every((id) => b.includes(id));
}

/**
 * The record that brings a partition to its target, or undefined if it is there already (repl R-62). A leader is
 * carried only if it differs from the one in office, so that the leader epoch rises with it and else not (repl R-85).
 */
export function buildPartitionChange(
  partition: PartitionRegistration,
  target: ChangeTarget,
): MetadataRecord | undefined {
  const wantedIsr = target.isr ?? partition.isr;
  const { replicas, leader } = partition;
  const elected = electLeader({ replicas, leader, isr: wantedIsr, acceptable: target.acceptable }, target.election);

  const isr = elected.unclean ? [elected.leader] : wantedIsr.length === 0 ? partition.isr : wantedIsr;
  const recovery = elected.unclean ? 'RECOVERING' : (target.leaderRecoveryState ?? partition.leaderRecoveryState);
  const changed: Omit<PartitionDelta, 'reason'> = {
    ...(sameMembers(isr, partition.isr) ? {} : { isr }),
    ...(elected.leader === leader ? {} : { leader: elected.leader }),
    ...(recovery === partition.leaderRecoveryState ? {} : { leaderRecoveryState: recovery }),
  };
  if (Object.keys(changed).length === 0) return undefined;
  return partitionChangeRecord(partition, { ...changed, reason: elected.unclean ? 'unclean' : target.reason });
}
