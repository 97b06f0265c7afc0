// A static member that comes back without its id (wire G-23): it gets a new one, whoever used the old one is fenced, and a
// stable group goes on undisturbed if its protocol would stay the same.
import { joinError, joined } from './answers.ts';
import { writeError } from './errors.ts';
import type { Group } from './group.ts';
import { newMemberId, update, versionOf } from './join.ts';
import type { Joining } from './join.ts';
import type { Member } from './member.ts';
import { rebalanceOrComplete } from './rebalance.ts';
import { answerParked, startSession } from './sessions.ts';
import type { Shard } from './shard.ts';

/** From this version on a member can be told that it leads but need not assign. */
const SKIP_ASSIGNMENT_FROM = 9;

/** Replaces the id `oldId` of a static member. */
export function replaceStatic(shard: Shard, group: Group, oldId: string, joining: Joining): void {
  const old = group.members.get(oldId)!;
  const leaderBefore = group.leaderId;
  answerParked(old, 'FENCED_INSTANCE_ID');
  const member = group.rename(oldId, newMemberId(shard, joining.request.groupInstanceId));
  update(member, joining);
  startSession(shard, group, member);
  if (group.state === 'Stable' && group.selectProtocol() === group.protocolName) {
    const settle = shard.host.runtime.safeguard('group.staticFence') ? persist : accept;
    settle(shard, group, { old, member, leaderBefore, joining });
  } else rebalanceOrComplete(shard, group);
}

interface Replacement {
  readonly old: Member;
  readonly member: Member;
  readonly leaderBefore: string;
  readonly joining: Joining;
}

/** Writes the new id down; the request is answered once it is durable. */
function persist(shard: Shard, group: Group, replacement: Replacement): void {
  const { member } = replacement;
  const { generation } = group;
  const parked = member.parkedJoin;
  /** Nothing has happened to the group or the member meanwhile: else a rebalance answers, or somebody has. */
  const stands = (): boolean =>
    group.state === 'Stable' && group.generation === generation && member.parkedJoin === parked;
  const assignments = (memberId: string): Buffer => group.members.get(memberId)!.assignment;
  shard.append(
    { records: [shard.groups.record(group.groupId, group.record(assignments))] },
    {
      committed: () => {
        shard.enter(() => {
          if (stands()) accept(shard, group, replacement);
        });
      },
      failed: (error) => {
        if (shard.alive && stands()) takeBack(shard, group, replacement, writeError(error));
      },
    },
  );
}

function accept(shard: Shard, group: Group, { member, leaderBefore, joining }: Replacement): void {
  const { memberId } = member;
  member.parkedJoin = undefined;
  startSession(shard, group, member);
  const current = joined(group, memberId);
  if (versionOf(joining.request) >= SKIP_ASSIGNMENT_FROM) {
    joining.answer({ ...current, skipAssignment: group.leaderId === memberId });
  } else {
    // It must not believe that it leads, or it would assign anew in a generation that has its assignments.
    joining.answer({ ...current, leader: leaderBefore, members: [] });
  }
}

function takeBack(
  shard: Shard,
  group: Group,
  { old, member, joining }: Replacement,
  error: Parameters<typeof joinError>[0],
): void {
  member.parkedJoin = undefined;
  joining.answer(joinError(error, joining.request.memberId));
  const { protocols, sessionTimeoutMs, rebalanceTimeoutMs } = old;
  const restored = Object.assign(group.rename(member.memberId, old.memberId), {
    ...{ protocols, sessionTimeoutMs, rebalanceTimeoutMs },
  });
  startSession(shard, group, restored);
}
