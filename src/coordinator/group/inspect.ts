// DescribeGroups and ListGroups (wire G-38, G-39): what people ask of groups. Neither waits for a turn, so that a shard which
// a fault holds can be looked at.
import type { RequestOf, ResponseOf } from '../../protocol/apis.ts';
import type { ErrorName } from '../../protocol/errors.ts';
import type { Group } from './group.ts';
import { metadataOf } from './member.ts';
import type { Shard } from './shard.ts';

type DescribedGroup = ResponseOf<'DescribeGroups'>['groups'][number];
type ListedGroup = ResponseOf<'ListGroups'>['groups'][number];

/** The one type of groups there is. */
const TYPE = 'classic';

/** One group; one that does not exist is Dead. */
export function describeGroup(shard: Shard, groupId: string): DescribedGroup {
  const group = shard.groups.shown(groupId);
  if (group === undefined) return describedError(groupId, 'NONE', 'Dead');
  const stable = group.state === 'Stable';
  const protocol = stable ? group.protocolName : '';
  return {
    ...{ groupId, error: 'NONE', state: group.state, protocolType: group.protocolType, protocol },
    generationId: group.generation,
    members: [...group.members.values()].map((member) => ({
      ...{ memberId: member.memberId, groupInstanceId: member.groupInstanceId },
      ...{ clientId: member.clientId, clientHost: member.clientHost },
      metadata: metadataOf(member, protocol),
      assignment: stable ? member.assignment : Buffer.alloc(0),
    })),
  };
}

/** A group of which there is nothing to tell. */
export function describedError(groupId: string, error: ErrorName, state = ''): DescribedGroup {
  return { groupId, error, state, protocolType: '', protocol: '', generationId: 0, members: [] };
}

/** The groups of these shards that pass the filters (wire G-39). */
export function listGroups(shards: readonly Shard[], request: RequestOf<'ListGroups'>): readonly ListedGroup[] {
  const [states, types] = [request.states, request.types].map((names) => names.map((name) => name.toLowerCase()));
  if (types!.length > 0 && !types!.includes(TYPE)) return [];
  const passes = ({ state }: Group): boolean => states!.length === 0 || states!.includes(state.toLowerCase());
  return shards.flatMap((shard) =>
    shard.groups
      .allShown()
      .filter(passes)
      .map(({ groupId, protocolType, state }) => ({ groupId, protocolType, state })),
  );
}
