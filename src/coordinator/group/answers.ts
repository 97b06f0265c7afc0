// Answers to JoinGroup and SyncGroup, as they differ by who asks (wire G-19, G-21, G-24).
import type { ResponseOf } from '../../protocol/apis.ts';
import type { ErrorName } from '../../protocol/errors.ts';
import type { Group } from './group.ts';
import { metadataOf } from './member.ts';
import type { Member } from './member.ts';

type JoinGroupResponse = ResponseOf<'JoinGroup'>;
type SyncGroupResponse = ResponseOf<'SyncGroup'>;

/** A refusal (wire G-24). */
export function joinError(error: ErrorName, memberId: string): JoinGroupResponse {
  return {
    ...{ error, memberId, generationId: -1, protocolType: '', protocolName: '', leader: '' },
    ...{ skipAssignment: false, members: [] },
  };
}

/** The generation as it is, for one member; to the leader with all members. */
export function joined(group: Group, memberId: string): JoinGroupResponse {
  const { generation: generationId, protocolType, protocolName, leaderId: leader } = group;
  const members = leader === memberId ? [...group.members.values()] : [];
  return {
    ...{ error: 'NONE' as const, generationId, protocolType, protocolName, leader, memberId, skipAssignment: false },
    members: members.map((member) => ({
      memberId: member.memberId,
      groupInstanceId: member.groupInstanceId,
      metadata: metadataOf(member, protocolName),
    })),
  };
}

export function syncError(error: ErrorName): SyncGroupResponse {
  return { error, protocolType: '', protocolName: '', assignment: Buffer.alloc(0) };
}

/** The assignment of a member. */
export function synced(group: Group, { assignment }: Member): SyncGroupResponse {
  return { error: 'NONE', protocolType: group.protocolType, protocolName: group.protocolName, assignment };
}
