// DeleteGroups (wire G-37): a group without members goes, with all its offsets.
import type { RequestOf } from '../../protocol/apis.ts';
import type { ErrorName } from '../../protocol/errors.ts';
import type { Answer } from './api.ts';
import type { Shards } from './contract.ts';
import { writeError } from './errors.ts';

/** Deletes each group of the request, and answers when all are decided. */
export function deleteGroups(shards: Shards, request: RequestOf<'DeleteGroups'>, answer: Answer<'DeleteGroups'>): void {
  const outcomes = new Map<string, ErrorName | undefined>(request.groupIds.map((groupId) => [groupId, undefined]));
  const decide = (groupId: string, error: ErrorName): void => {
    outcomes.set(groupId, error);
    const groups = [...outcomes].flatMap(([id, outcome]) =>
      outcome === undefined ? [] : { groupId: id, error: outcome },
    );
    if (groups.length === outcomes.size) answer({ groups });
  };
  if (outcomes.size === 0) answer({ groups: [] });
  for (const groupId of [...outcomes.keys()]) deleteGroup(shards, groupId, (error) => decide(groupId, error));
}

function deleteGroup(shards: Shards, groupId: string, done: (error: ErrorName) => void): void {
  shards.enter(
    groupId,
    (shard) => {
      const group = shard.groups.get(groupId);
      if (group === undefined) return done('GROUP_ID_NOT_FOUND');
      if (group.state !== 'Empty') return done('NON_EMPTY_GROUP');
      shard.append(
        { records: [...shard.offsets.tombstones(groupId), shard.groups.tombstone(groupId)] },
        { committed: () => done('NONE'), failed: (error) => done(writeError(error)) },
      );
    },
    done,
  );
}
