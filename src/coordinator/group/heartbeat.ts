// Heartbeat (wire G-27): a member lives, and hears whether it must join again.
import type { RequestOf } from '../../protocol/apis.ts';
import type { Answer } from './api.ts';
import { writeError } from './errors.ts';
import { startSession } from './sessions.ts';
import type { Shard } from './shard.ts';

/** Decides a Heartbeat that came to the right shard, within a step of it. */
export function heartbeat(shard: Shard, request: RequestOf<'Heartbeat'>, answer: Answer<'Heartbeat'>): void {
  const group = shard.groups.get(request.groupId);
  const problem = group?.checkMember(request.memberId, request.groupInstanceId) ?? 'UNKNOWN_MEMBER_ID';
  if (group === undefined || problem !== 'NONE') return answer({ error: problem });
  if (request.generationId !== group.generation) return answer({ error: 'ILLEGAL_GENERATION' });
  startSession(shard, group, group.members.get(request.memberId)!);
  const error = group.state === 'PreparingRebalance' ? 'REBALANCE_IN_PROGRESS' : 'NONE';
  // What it says rests on what was appended before: it must not outlive that (wire G-8).
  shard.whenCommitted((failure) => answer({ error: failure === 'NONE' ? error : writeError(failure) }));
}
