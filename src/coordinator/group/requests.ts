// Requests about groups and their members: the checks that need no group (wire G-4, G-5, G-15), then the shard of the group.
import type { RequestOf } from '../../protocol/apis.ts';
import type { ErrorName } from '../../protocol/errors.ts';
import { isTooLong } from '../../protocol/string-length.ts';
import { joinError, syncError } from './answers.ts';
import type { Answer, GroupCoordinator } from './api.ts';
import { deleteGroups } from './delete-groups.ts';
import type { Directory } from './directory.ts';
import { heartbeat } from './heartbeat.ts';
import { describeGroup, describedError, listGroups } from './inspect.ts';
import { joinGroup } from './join.ts';
import { leaveError, leaveGroup } from './leave.ts';
import type { Shard } from './shard.ts';
import { syncGroup } from './sync.ts';

/** Room for what makes a member id of a client id, or of an instance id. */
const MEMBER_ID_SUFFIX_BYTES = 64;

type MembershipApi =
  'joinGroup' | 'syncGroup' | 'heartbeat' | 'leaveGroup' | 'describeGroups' | 'listGroups' | 'deleteGroups';

/** The requests about groups and their members. */
export function membershipHandlers(directory: Directory): Pick<GroupCoordinator, MembershipApi> {
  return {
    joinGroup: (request, answer) => onJoinGroup(directory, request, answer),
    syncGroup: (request, answer) => {
      const refuse = (error: ErrorName): void => answer(syncError(error));
      enterNamed(directory, request, (shard) => syncGroup(shard, request, answer), refuse);
    },
    heartbeat: (request, answer) => {
      // Nothing is known yet that could speak against it (wire G-4).
      const refuse = (error: ErrorName): void =>
        answer({ error: error === 'COORDINATOR_LOAD_IN_PROGRESS' ? 'NONE' : error });
      enterNamed(directory, request, (shard) => heartbeat(shard, request, answer), refuse);
    },
    leaveGroup: (request, answer) => {
      const refuse = (error: ErrorName): void => answer(leaveError(error));
      enterNamed(directory, request, (shard) => leaveGroup(shard, request, answer), refuse);
    },
    describeGroups: ({ groupIds }, answer) => {
      const groups = groupIds.map((groupId) => {
        const shard = directory.find(directory.partitionOf(groupId));
        return typeof shard === 'string' ? describedError(groupId, shard) : describeGroup(shard, groupId);
      });
      answer({ groups });
    },
    listGroups: (request, answer) => onListGroups(directory, request, answer),
    deleteGroups: (request, answer) => deleteGroups(directory, request, answer),
  };
}

/** Enters the shard of a group that must have a name (wire G-5). */
function enterNamed(
  directory: Directory,
  { groupId }: { readonly groupId: string },
  step: (shard: Shard) => void,
  refuse: (error: ErrorName) => void,
): void {
  if (!directory.running) return refuse('COORDINATOR_NOT_AVAILABLE');
  if (groupId === '') return refuse('INVALID_GROUP_ID');
  directory.enter(groupId, step, refuse);
}

/** Wire G-15. */
function onJoinGroup(directory: Directory, request: RequestOf<'JoinGroup'>, answer: Answer<'JoinGroup'>): void {
  const { config } = directory.host;
  const { groupId, memberId, sessionTimeoutMs } = request;
  const tooShort = sessionTimeoutMs < config['group.min.session.timeout.ms'];
  const tooLong = sessionTimeoutMs > config['group.max.session.timeout.ms'];
  if (directory.running && groupId !== '' && (tooShort || tooLong)) {
    return answer(joinError('INVALID_SESSION_TIMEOUT', memberId));
  }
  if (directory.running && request.groupId !== '' && hasTooLong(request)) {
    return answer(joinError('INVALID_REQUEST', ''));
  }
  const refuse = (error: ErrorName): void => {
    const elsewhere = error === 'COORDINATOR_LOAD_IN_PROGRESS' || error === 'NOT_COORDINATOR';
    answer(joinError(error, elsewhere ? '' : memberId));
  };
  enterNamed(directory, request, (shard) => joinGroup(shard, { request, answer }), refuse);
}

/** Whether something that is written down of a member has no form in the record of its group. */
function hasTooLong({ clientId, groupInstanceId, protocolType, protocols }: RequestOf<'JoinGroup'>): boolean {
  const begins = [clientId, groupInstanceId].some((text) => isTooLong(text, MEMBER_ID_SUFFIX_BYTES));
  return begins || isTooLong(protocolType) || protocols.some(({ name }) => isTooLong(name));
}

/** Wire G-39. */
function onListGroups(directory: Directory, request: RequestOf<'ListGroups'>, answer: Answer<'ListGroups'>): void {
  const shards: Shard[] = [];
  let error: ErrorName = 'NONE';
  if (!directory.running) error = 'COORDINATOR_NOT_AVAILABLE';
  else if (directory.loading) error = 'COORDINATOR_LOAD_IN_PROGRESS';
  else {
    for (const partition of directory.loaded()) {
      const shard = directory.find(partition);
      if (typeof shard !== 'string') shards.push(shard);
    }
  }
  answer({ error, groups: [...listGroups(shards, request)] });
}
