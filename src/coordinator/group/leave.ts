// LeaveGroup (wire G-29): members go, by themselves or by an administrator, and the group rebalances once for all of them.
import type { RequestOf, ResponseOf } from '../../protocol/apis.ts';
import type { ErrorName } from '../../protocol/errors.ts';
import type { Answer } from './api.ts';
import { writeError } from './errors.ts';
import type { Group } from './group.ts';
import { rebalanceOrComplete } from './rebalance.ts';
import { removeMember } from './sessions.ts';
import type { Shard } from './shard.ts';

type Leaving = RequestOf<'LeaveGroup'>['members'][number];

/** An answer to the whole request. */
export function leaveError(error: ErrorName): ResponseOf<'LeaveGroup'> {
  return { error, members: [] };
}

/** Decides a LeaveGroup that came to the right shard, within a step of it. */
export function leaveGroup(shard: Shard, request: RequestOf<'LeaveGroup'>, answer: Answer<'LeaveGroup'>): void {
  const group = shard.groups.get(request.groupId);
  const members = request.members.map((leaving) => ({
    ...{ memberId: leaving.memberId, groupInstanceId: leaving.groupInstanceId },
    error: group === undefined ? ('UNKNOWN_MEMBER_ID' as const) : leave(group, leaving),
  }));
  const done = (failure: ErrorName): void => {
    answer(failure === 'NONE' ? { error: 'NONE', members } : leaveError(writeError(failure)));
  };
  const left = members.some(({ error }) => error === 'NONE');
  const emptied =
    group !== undefined &&
    left &&
    group.state !== 'Empty' &&
    rebalanceOrComplete(shard, group, { committed: () => done('NONE'), failed: done });
  if (!emptied) shard.whenCommitted(done);
}

/** Removes one member, or says why not. */
function leave(group: Group, { memberId, groupInstanceId }: Leaving): ErrorName {
  if (group.pendingJoin.has(memberId)) {
    group.remove(memberId);
    return 'NONE';
  }
  // An administrator knows the name of a static member, not its id.
  const byName = memberId === '' ? group.staticMembers.get(groupInstanceId) : undefined;
  const leaving = byName ?? memberId;
  const problem = group.checkMember(leaving, groupInstanceId);
  if (problem === 'NONE') removeMember(group, leaving);
  return problem;
}
