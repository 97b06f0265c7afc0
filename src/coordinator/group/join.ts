// JoinGroup (wire G-15 to G-24): who may join, under which id, and what that does to the group. Static members that come
// back under a new id are in replace-static.ts.
import type { RequestOf } from '../../protocol/apis.ts';
import { joinError, joined } from './answers.ts';
import type { Answer } from './api.ts';
import { writeError } from './errors.ts';
import type { Group } from './group.ts';
import { identityOf, newMember, saysTheSame } from './member.ts';
import type { Member } from './member.ts';
import { noAssignment, rebalanceOrComplete } from './rebalance.ts';
import { replaceStatic } from './replace-static.ts';
import { NEW_MEMBER_JOIN_MS, awaitJoin, startSession } from './sessions.ts';
import type { Shard } from './shard.ts';

/** From this version on a new dynamic member is given its id first and joins with it (wire G-18). */
const KNOWN_ID_FROM = 4;
const NEWEST = 9;

/** A JoinGroup under way. */
export interface Joining {
  readonly request: RequestOf<'JoinGroup'>;
  readonly answer: Answer<'JoinGroup'>;
}

/** Kafka's version whose behaviour is wanted. */
export function versionOf({ version }: RequestOf<'JoinGroup'>): number {
  return version === 0 ? NEWEST : version;
}

/** Decides a JoinGroup that came to the right shard, within a step of it. */
export function joinGroup(shard: Shard, { request, answer }: Joining): void {
  const { groupId, memberId } = request;
  const group = shard.groups.get(groupId);
  if (group !== undefined) return joinKnownGroup(shard, group, { request, answer });
  if (memberId !== '') return answer(joinError('UNKNOWN_MEMBER_ID', memberId));
  const created = shard.groups.create(groupId);
  // Before anybody is in it: the record of a new group is an empty one (wire G-10).
  const record = shard.groups.record(groupId, created.record(noAssignment));
  joinKnownGroup(shard, created, { request, answer });
  shard.append(
    { records: [record] },
    {
      committed: () => undefined,
      failed: (error) => {
        // What was appended may commit later, and stays (wire G-8).
        if (created.createdAt === undefined) shard.groups.takeBack(created, writeError(error));
      },
    },
  );
}

function joinKnownGroup(shard: Shard, group: Group, joining: Joining): void {
  const { request, answer } = joining;
  const { memberId, groupInstanceId } = request;
  if (!hasRoom(group, memberId, shard.host.config['group.max.size'])) {
    group.remove(memberId);
    return answer(joinError('GROUP_MAX_SIZE_REACHED', ''));
  }
  const names = request.protocols.map(({ name }) => name);
  if (!group.supports(request.protocolType, names)) {
    return answer(joinError('INCONSISTENT_GROUP_PROTOCOL', memberId));
  }
  if (group.pendingJoin.has(memberId)) return addMember(shard, group, memberId, joining);
  if (memberId !== '') return rejoin(shard, group, joining);
  const known = groupInstanceId === '' ? undefined : group.staticMembers.get(groupInstanceId);
  if (known !== undefined) return replaceStatic(shard, group, known, joining);
  return joinNew(shard, group, joining);
}

/** Wire G-16: a rebalance ends with those who are parked, so only they count in Preparing. */
function hasRoom(group: Group, memberId: string, sizeMax: number): boolean {
  switch (group.state) {
    case 'Empty':
    case 'Dead':
      return true;
    case 'PreparingRebalance':
      return group.members.get(memberId)?.parkedJoin !== undefined || group.parkedJoinCount < sizeMax;
    case 'CompletingRebalance':
    case 'Stable':
      return group.members.has(memberId) || group.members.size < sizeMax;
  }
}

/** Wire G-18. */
function joinNew(shard: Shard, group: Group, joining: Joining): void {
  const { request, answer } = joining;
  const { groupInstanceId, clientId } = request;
  const memberId = newMemberId(shard, groupInstanceId === '' ? clientId : groupInstanceId);
  if (groupInstanceId !== '' || versionOf(request) < KNOWN_ID_FROM) return addMember(shard, group, memberId, joining);
  awaitJoin(shard, group, memberId, request.sessionTimeoutMs);
  answer(joinError('MEMBER_ID_REQUIRED', memberId));
}

/** An id that nobody has had: a UUID behind its prefix, in the form that Kafka's tools print and that clients know. */
export function newMemberId(shard: Shard, prefix: string): string {
  const hex = Buffer.from(shard.random.id(), 'base64url').toString('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)];
  return `${prefix}-${parts.join('-')}`;
}

function addMember(shard: Shard, group: Group, memberId: string, { request, answer }: Joining): void {
  if (group.initial) group.joinedMeanwhile = true;
  const member = newMember(identityOf(request, memberId));
  member.isNew = true;
  member.parkedJoin = { memberId: request.memberId, answer };
  group.add(member, request.protocolType);
  startSession(shard, group, member, NEW_MEMBER_JOIN_MS);
  rebalanceOrComplete(shard, group);
}

/** Wire G-19. */
function rejoin(shard: Shard, group: Group, joining: Joining): void {
  const { request, answer } = joining;
  const { memberId } = request;
  const problem = group.checkMember(memberId, request.groupInstanceId);
  if (problem !== 'NONE') return answer(joinError(problem, memberId));
  const member = group.members.get(memberId)!;
  const unchanged = saysTheSame(member.protocols, request.protocols);
  // The answer to its last JoinGroup was lost, perhaps: it has nothing new to say.
  const again = group.state === 'CompletingRebalance' || (group.state === 'Stable' && group.leaderId !== memberId);
  if (unchanged && again) return answer(joined(group, memberId));
  update(member, joining);
  rebalanceOrComplete(shard, group);
}

/** Takes over what a member says of itself now, and parks its request. */
export function update(member: Member, { request, answer }: Joining): void {
  const { protocols, sessionTimeoutMs, rebalanceTimeoutMs } = identityOf(request, member.memberId);
  Object.assign(member, { protocols, sessionTimeoutMs, rebalanceTimeoutMs });
  const { parkedJoin } = member;
  member.parkedJoin = { memberId: request.memberId, answer };
  // Asked twice: nobody waits for the first answer any more, unless a network has duplicated the question.
  parkedJoin?.answer(joinError('REBALANCE_IN_PROGRESS', parkedJoin.memberId));
}
