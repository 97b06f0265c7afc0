// SyncGroup (wire G-25, G-26): the leader brings the assignments of its generation, and everybody gets his own once they are
// durable.
import type { RequestOf } from '../../protocol/apis.ts';
import type { ErrorName } from '../../protocol/errors.ts';
import { syncError, synced } from './answers.ts';
import type { Answer } from './api.ts';
import { writeError } from './errors.ts';
import type { Group } from './group.ts';
import { keepBytes } from '../../base/keep-bytes.ts';
import { dropAssignments, enterState, noAssignment, rebalance } from './rebalance.ts';
import { startSession } from './sessions.ts';
import type { Shard } from './shard.ts';

/** Decides a SyncGroup that came to the right shard, within a step of it. */
export function syncGroup(shard: Shard, request: RequestOf<'SyncGroup'>, answer: Answer<'SyncGroup'>): void {
  const group = shard.groups.get(request.groupId);
  if (group === undefined) return answer(syncError('UNKNOWN_MEMBER_ID'));
  const problem = checkSync(group, request);
  if (problem !== 'NONE') return answer(syncError(problem));
  const member = group.members.get(request.memberId)!;
  group.pendingSync.delete(member.memberId);
  if (group.pendingSync.size === 0) {
    group.syncTimer?.cancel();
    group.syncTimer = undefined;
  }
  if (group.state === 'Stable') return answer(synced(group, member));
  // Asked twice, as in JoinGroup.
  member.parkedSync?.(syncError('REBALANCE_IN_PROGRESS'));
  member.parkedSync = answer;
  // A leader that asks again while its assignments are being written has brought them already.
  if (group.leaderId === member.memberId && !group.assigning) assign(shard, group, request);
}

function checkSync(group: Group, request: RequestOf<'SyncGroup'>): ErrorName {
  const { memberId, groupInstanceId, generationId, protocolType, protocolName } = request;
  const problem = group.checkMember(memberId, groupInstanceId);
  if (problem !== 'NONE') return problem;
  if (generationId !== group.generation) return 'ILLEGAL_GENERATION';
  const typeDiffers = protocolType !== '' && protocolType !== group.protocolType;
  const nameDiffers = protocolName !== '' && protocolName !== group.protocolName;
  if (typeDiffers || nameDiffers) return 'INCONSISTENT_GROUP_PROTOCOL';
  return group.state === 'PreparingRebalance' ? 'REBALANCE_IN_PROGRESS' : 'NONE';
}

/** Writes the leader's assignments; delivers them if the generation is still the same then. */
function assign(shard: Shard, group: Group, { assignments }: RequestOf<'SyncGroup'>): void {
  const { generation } = group;
  const given = new Map(assignments.map(({ memberId, assignment }) => [memberId, keepBytes(assignment)]));
  const assignmentOf = (memberId: string): Buffer => given.get(memberId) ?? noAssignment();
  const inTime = (run: () => void): void => {
    shard.enter(() => {
      if (group.state === 'CompletingRebalance' && group.generation === generation) run();
    });
  };
  group.assigning = true;
  shard.append(
    { records: [shard.groups.record(group.groupId, group.record(assignmentOf))] },
    {
      committed: () => inTime(() => deliver(shard, group, assignmentOf)),
      failed: (error) => {
        inTime(() => {
          dropAssignments(shard, group, writeError(error));
          rebalance(shard, group);
        });
      },
    },
  );
}

function deliver(shard: Shard, group: Group, assignmentOf: (memberId: string) => Buffer): void {
  group.assigning = false;
  for (const member of group.members.values()) member.assignment = assignmentOf(member.memberId);
  enterState(shard, group, 'Stable');
  for (const member of group.members.values()) {
    const { parkedSync } = member;
    if (parkedSync === undefined) continue;
    member.parkedSync = undefined;
    startSession(shard, group, member);
    parkedSync(synced(group, member));
  }
}
