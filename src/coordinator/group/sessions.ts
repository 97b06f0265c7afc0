// Sessions of members and of ids given out (wire G-18, G-22, G-28): who is silent for too long is removed, and the group goes
// on without it. Members that are parked count as alive.
import type { DurationMs } from '../../base/units.ts';
import type { ErrorName } from '../../protocol/errors.ts';
import { joinError, syncError } from './answers.ts';
import type { Group } from './group.ts';
import type { Member } from './member.ts';
import { completeJoin, rebalance } from './rebalance.ts';
import type { Shard } from './shard.ts';

/** How long a member may be parked in its first JoinGroup: it cannot send heartbeats yet (wire G-22). */
export const NEW_MEMBER_JOIN_MS: DurationMs = 300_000;

/** Starts a member's session anew. */
export function startSession(
  shard: Shard,
  group: Group,
  member: Member,
  timeoutMs: DurationMs = member.sessionTimeoutMs,
): void {
  member.session?.cancel();
  const timer = shard.host.runtime.clock.after(timeoutMs, () => {
    // A heartbeat that waits before this step renews the session: the timer is another then.
    shard.enter(() => {
      if (member.session === timer && group.members.get(member.memberId) === member) expire(shard, group, member);
    });
  });
  member.session = timer;
}

/** Remembers an id that was given out, for as long as a session (wire G-18). */
export function awaitJoin(shard: Shard, group: Group, memberId: string, timeoutMs: DurationMs): void {
  const timer = shard.host.runtime.clock.after(timeoutMs, () => {
    shard.enter(() => {
      if (group.pendingJoin.get(memberId) !== timer) return;
      group.remove(memberId);
      goOnWithout(shard, group);
    });
  });
  group.pendingJoin.set(memberId, timer);
}

/** Removes a member; what it waits for is answered UNKNOWN_MEMBER_ID (wire G-24, G-29). Of pending ids too. */
export function removeMember(group: Group, memberId: string): void {
  const member = group.members.get(memberId);
  if (member !== undefined) {
    const { parkedJoin } = member;
    member.parkedJoin = undefined;
    parkedJoin?.answer(joinError('UNKNOWN_MEMBER_ID', ''));
    answerParked(member, 'UNKNOWN_MEMBER_ID');
  }
  group.remove(memberId);
}

/** Answers what a member waits for with an error. */
export function answerParked(member: Member, error: ErrorName): void {
  const { parkedJoin, parkedSync } = member;
  member.parkedJoin = undefined;
  member.parkedSync = undefined;
  parkedJoin?.answer(joinError(error, parkedJoin.memberId));
  parkedSync?.(syncError(error));
}

function expire(shard: Shard, group: Group, member: Member): void {
  member.session = undefined;
  const parked = member.parkedJoin !== undefined || member.parkedSync !== undefined;
  // Its session begins anew when it is answered.
  if (parked && !member.isNew) return;
  removeMember(group, member.memberId);
  goOnWithout(shard, group);
}

/** Somebody has expired: that may be what a join phase waited for, an initial one too (wire G-20, G-28). */
function goOnWithout(shard: Shard, group: Group): void {
  if (group.state === 'Stable' || group.state === 'CompletingRebalance') rebalance(shard, group);
  else if (group.state === 'PreparingRebalance' && group.allJoined) completeJoin(shard, group);
}
