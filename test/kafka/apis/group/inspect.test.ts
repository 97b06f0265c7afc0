// DescribeGroups, ListGroups and DeleteGroups over the wire (wire G-37 to G-39).
import { describe, expect, test } from 'vitest';
import { subscription } from '../../../coordinator/group/support/stage.ts';
import type { Struct } from '../../generic-codec.ts';
import {
  commitBody,
  DELETE_GROUPS,
  DESCRIBE_GROUPS,
  groupCluster,
  LIST_GROUPS,
  OFFSET_COMMIT,
  OFFSET_FETCH,
  fetchBody,
  versions,
} from './support.ts';

const { ask, stable } = groupCluster();

describe('DescribeGroups', () => {
  test.each(versions(0, 5))(
    'wire G-38: v%d shows members and what they say; an unknown group is Dead',
    async (version) => {
      const groupId = `shown-${version}`;
      const { memberId } = await stable(groupId, { groupInstanceId: 'one', sessionTimeoutMs: 60_000 });
      const body = { groups: [groupId, 'unknown', groupId], includeAuthorizedOperations: true };
      const answer = await ask(DESCRIBE_GROUPS, version, body);
      const operations = version >= 3 ? { authorizedOperations: -2147483648 } : {};
      const member = {
        ...{ memberId, clientId: 'test', clientHost: '/127.0.0.1' },
        ...(version >= 4 && { groupInstanceId: 'one' }),
        ...{ memberMetadata: subscription('t'), memberAssignment: Buffer.from('all') },
      };
      const shown = {
        ...{ errorCode: 0, groupId, groupState: 'Stable', protocolType: 'consumer', protocolData: 'range' },
        ...{ members: [member], ...operations },
      };
      const dead = {
        ...{ errorCode: 0, groupId: 'unknown', groupState: 'Dead', protocolType: '', protocolData: '' },
        ...{ members: [], ...operations },
      };
      expect(answer).toEqual({ ...(version >= 1 && { throttleTimeMs: 0 }), groups: [shown, dead, shown] });
    },
  );
});

describe('ListGroups', () => {
  const list = async (version: number, statesFilter: string[] = [], typesFilter: string[] = []) => {
    const answer = await ask(LIST_GROUPS, version, { statesFilter, typesFilter });
    expect(answer['errorCode']).toBe(0);
    return (answer['groups'] as Struct[]).filter(({ groupId }) => ['simple', 'used'].includes(groupId as string));
  };

  test('wire G-39: states from v4 on, types from v5 on, and filters that know no case', async () => {
    await ask(OFFSET_COMMIT, 7, commitBody('simple', 1));
    await stable('used', { sessionTimeoutMs: 60_000 });
    const simple = { groupId: 'simple', protocolType: '', groupState: 'Empty', groupType: 'classic' };
    const used = { groupId: 'used', protocolType: 'consumer', groupState: 'Stable', groupType: 'classic' };
    const byId = (groups: Struct[]) => groups.sort((a, b) => (a['groupId']! < b['groupId']! ? -1 : 1));
    for (const version of versions(0, 5)) {
      const fields = (group: Struct) => ({
        ...{ groupId: group['groupId'], protocolType: group['protocolType'] },
        ...(version >= 4 && { groupState: group['groupState'] }),
        ...(version >= 5 && { groupType: group['groupType'] }),
      });
      expect(byId(await list(version))).toEqual([simple, used].map(fields));
    }
    expect(await list(5, ['sTABLE', 'nonsense'])).toEqual([used]);
    expect(await list(4, ['empty'])).toMatchObject([{ groupId: 'simple' }]);
    expect(await list(5, [], ['Classic'])).toHaveLength(2);
    expect(await list(5, [], ['consumer'])).toEqual([]);
  });
});

describe('DeleteGroups', () => {
  test.each(versions(0, 2))('wire G-37: v%d deletes what is empty, once, and says why not', async (version) => {
    const [empty, used] = [`empty-${version}`, `used-${version}`];
    await ask(OFFSET_COMMIT, 7, commitBody(empty, 1));
    await stable(used, { sessionTimeoutMs: 60_000 });
    const answer = await ask(DELETE_GROUPS, version, { groupsNames: [empty, 'unknown', used, empty] });
    expect(answer).toEqual({
      throttleTimeMs: 0,
      results: [
        { groupId: empty, errorCode: 0 },
        { groupId: 'unknown', errorCode: 69 },
        { groupId: used, errorCode: 68 },
      ],
    });
    expect(await ask(OFFSET_FETCH, 7, fetchBody(empty, null))).toMatchObject({ topics: [], errorCode: 0 });
    expect(await ask(DELETE_GROUPS, version, { groupsNames: [] })).toMatchObject({ results: [] });
  });
});
