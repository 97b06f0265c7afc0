// JoinGroup, SyncGroup, Heartbeat and LeaveGroup over the wire: what goes out at which version, and what becomes of members
// whose client is gone (wire W-15, G-13 to G-30).
import { describe, expect, test } from 'vitest';
import { subscription } from '../../../coordinator/group/support/stage.ts';
import type { Struct } from '../../generic-codec.ts';
import { first } from '../served-topic.ts';
import {
  DESCRIBE_GROUPS,
  groupCluster,
  HEARTBEAT,
  JOIN_GROUP,
  joinBody,
  LEAVE_GROUP,
  SYNC_GROUP,
  syncBody,
  versions,
} from './support.ts';

const { cluster, ask, stable } = groupCluster();

const stateOf = async (groupId: string) =>
  first((await ask(DESCRIBE_GROUPS, 5, { groups: [groupId], includeAuthorizedOperations: false }))['groups']);

describe('a life in a group', () => {
  test.each(versions(0, 9))(
    'wire G-15 to G-29: with JoinGroup v%d, and its companions of that time',
    async (version) => {
      const groupId = `life-${version}`;
      const client = cluster().client();
      const join = async (memberId: string) => {
        const { body } = await client.ask(JOIN_GROUP, version, joinBody(groupId, { memberId }));
        return body as Struct & { memberId: string; generationId: number };
      };
      let joined = await join('');
      if (version >= 4) {
        expect(joined).toEqual({ ...refusal(version), errorCode: 79, memberId: joined.memberId });
        joined = await join(joined.memberId);
      }
      const { memberId, generationId } = joined;
      expect(memberId).toMatch(/^test-[\w-]{22,36}$/);
      const metadata = subscription('t');
      expect(joined).toEqual({
        ...refusal(version),
        ...{ errorCode: 0, generationId: 1, protocolName: 'range', leader: memberId, memberId },
        ...(version >= 7 && { protocolType: 'consumer' }),
        members: [{ memberId, ...(version >= 5 && { groupInstanceId: null }), metadata }],
      });

      const member = { groupId, memberId, generationId };
      const sync = Math.min(version, 5);
      const said = { protocolType: 'consumer', protocolName: 'range' };
      expect((await client.ask(SYNC_GROUP, sync, syncBody(member))).body).toEqual({
        ...(sync >= 1 && { throttleTimeMs: 0 }),
        ...{ errorCode: 0, ...(sync >= 5 && said), assignment: Buffer.from('all') },
      });
      const beat = Math.min(version, 4);
      const heartbeat = { ...member, groupInstanceId: null };
      expect((await client.ask(HEARTBEAT, beat, heartbeat)).body).toMatchObject({ errorCode: 0 });
      expect((await client.ask(HEARTBEAT, beat, { ...heartbeat, generationId: 9 })).body).toMatchObject({
        errorCode: 22,
      });
      const leave = Math.min(version, 5);
      const leaving = { groupId, memberId, members: [{ memberId, groupInstanceId: null, reason: 'done' }] };
      expect((await client.ask(LEAVE_GROUP, leave, leaving)).body).toEqual({
        ...(leave >= 1 && { throttleTimeMs: 0 }),
        ...{ errorCode: 0, ...(leave >= 3 && { members: [{ memberId, groupInstanceId: null, errorCode: 0 }] }) },
      });
      expect((await client.ask(HEARTBEAT, beat, heartbeat)).body).toMatchObject({ errorCode: 25 });
    },
  );
});

/** What stands in every refused JoinGroup (wire G-24). */
function refusal(version: number): Struct {
  return {
    ...(version >= 2 && { throttleTimeMs: 0 }),
    ...(version >= 7 && { protocolType: null }),
    ...(version >= 9 && { skipAssignment: false }),
    ...{ generationId: -1, protocolName: version >= 7 ? null : '', leader: '', members: [] },
  };
}

describe('JoinGroup', () => {
  test.each(versions(0, 9))(
    'wire G-16, G-24: a refusal at v%d has no generation and the id that was asked with',
    async (version) => {
      const unknown = await ask(JOIN_GROUP, version, joinBody('nobody', { memberId: 'ghost' }));
      expect(unknown).toEqual({ ...refusal(version), errorCode: 25, memberId: 'ghost' });
    },
  );

  test('wire G-5, G-15, G-17: no name, a session too short, no protocol', async () => {
    const join = async (more: Struct) => (await ask(JOIN_GROUP, 5, joinBody('checks', more)))['errorCode'];
    expect(await join({ groupId: '' })).toBe(24);
    expect(await join({ sessionTimeoutMs: 1 })).toBe(26);
    expect(await join({ protocols: [] })).toBe(23);
    expect(await join({ protocolType: '' })).toBe(23);
  });

  test('wire G-15: v0 has no rebalance timeout: the session timeout is it', async () => {
    const client = cluster().client();
    const late = cluster().client();
    const { body } = await client.ask(JOIN_GROUP, 0, joinBody('v0', { sessionTimeoutMs: 4000 }));
    const { memberId } = body as { memberId: string };
    await client.ask(SYNC_GROUP, 0, syncBody({ groupId: 'v0', memberId, generationId: 1 }));
    const joining = late.ask(JOIN_GROUP, 0, joinBody('v0', { sessionTimeoutMs: 4000 }));
    await cluster().until(() => stateNow('v0') === 'PreparingRebalance');
    cluster().skip(4001);
    expect((await joining).body).toMatchObject({ errorCode: 0, generationId: 2 });
  });

  test('wire G-13: client id and host of a member are those of its connection', async () => {
    const { memberId } = await stable('described');
    expect(await stateOf('described')).toMatchObject({
      ...{ groupState: 'Stable', protocolType: 'consumer', protocolData: 'range' },
      members: [{ memberId, clientId: 'test', clientHost: '/127.0.0.1', groupInstanceId: null }],
    });
  });

  test('wire W-15, G-30: a parked JoinGroup makes a member, though its client is gone', async () => {
    const long = { sessionTimeoutMs: 60_000 };
    const leader = await stable('parked', long);
    const rejoin = () => leader.client.ask(JOIN_GROUP, 9, joinBody('parked', { memberId: leader.memberId, ...long }));
    const gone = cluster().client();
    const asked = await gone.ask(JOIN_GROUP, 5, joinBody('parked'));
    const { memberId } = asked.body as { memberId: string };
    void gone.ask(JOIN_GROUP, 5, joinBody('parked', { memberId })).catch(() => undefined);
    await cluster().until(() => stateNow('parked') === 'PreparingRebalance');
    gone.close();
    const again = await rejoin();
    const members = (again.body['members'] as Struct[]).map((member) => member['memberId']);
    expect(members).toEqual([leader.memberId, memberId]);
    // Nobody speaks for it: its session ends as any other.
    await leader.client.ask(SYNC_GROUP, 5, syncBody({ ...leader, generationId: 2 }));
    cluster().skip(10_001);
    await cluster().until(() => stateNow('parked') === 'PreparingRebalance');
    const alone = await rejoin();
    expect(alone.body).toMatchObject({ errorCode: 0, generationId: 3, members: [{ memberId: leader.memberId }] });
  });

  test('wire G-23: a static member that comes back: v9 tells who leads, older ones whom they do not know', async () => {
    const instance = { groupInstanceId: 'one', sessionTimeoutMs: 60_000 };
    const { memberId: before } = await stable('static', instance);
    const newer = await ask(JOIN_GROUP, 9, joinBody('static', instance));
    const { memberId: second } = newer as { memberId: string };
    expect(newer).toMatchObject({ errorCode: 0, generationId: 1, leader: second, skipAssignment: true });
    expect(newer['members']).toMatchObject([{ memberId: second, groupInstanceId: 'one' }]);
    const older = await ask(JOIN_GROUP, 8, joinBody('static', instance));
    expect(older).toMatchObject({ errorCode: 0, generationId: 1, leader: second, members: [] });
    const fenced = { groupId: 'static', generationId: 1, memberId: before };
    expect(await ask(HEARTBEAT, 3, { ...fenced, groupInstanceId: 'one' })).toMatchObject({ errorCode: 82 });
    expect(await ask(HEARTBEAT, 2, fenced)).toMatchObject({ errorCode: 25 });
  });
});

describe('SyncGroup', () => {
  test.each([
    ['no type', { protocolType: null }],
    ['no name', { protocolName: null }],
    ['another name', { protocolName: 'roundrobin' }],
  ])('wire G-25: v5 with %s is error 23, and carries nothing', async (what, more) => {
    const member = await stable(`sync ${what}`);
    const { body } = await member.client.ask(SYNC_GROUP, 5, syncBody(member, more));
    const nothing = { protocolType: null, protocolName: null, assignment: Buffer.alloc(0) };
    expect(body).toEqual({ throttleTimeMs: 0, errorCode: 23, ...nothing });
    expect((await member.client.ask(SYNC_GROUP, 4, syncBody(member))).body).toMatchObject({ errorCode: 0 });
  });
});

describe('LeaveGroup', () => {
  const leave = (version: number, groupId: string, members: Struct[]) =>
    ask(LEAVE_GROUP, version, { groupId, memberId: first(members)['memberId']!, members });
  const who = (memberId: string, groupInstanceId: string | null = null) => ({
    memberId,
    groupInstanceId,
    reason: null,
  });

  test('wire G-29: of an unknown group: up to v2 the error of the request, from v3 on of each member', async () => {
    expect(await leave(2, 'none', [who('a')])).toEqual({ throttleTimeMs: 0, errorCode: 25 });
    const members = [
      { memberId: 'a', groupInstanceId: null, errorCode: 25 },
      { memberId: '', groupInstanceId: 'i', errorCode: 25 },
    ];
    expect(await leave(3, 'none', [who('a'), who('', 'i')])).toEqual({ throttleTimeMs: 0, errorCode: 0, members });
    expect(await leave(5, '', [who('a')])).toEqual({ throttleTimeMs: 0, errorCode: 24, members: [] });
  });

  test('wire G-29: a static member is removed by its name', async () => {
    await stable('removal', { groupInstanceId: 'one' });
    const wrong = await leave(4, 'removal', [who('other', 'one'), who('', 'two')]);
    expect((wrong['members'] as Struct[]).map(({ errorCode }) => errorCode)).toEqual([82, 25]);
    const right = await leave(4, 'removal', [who('', 'one')]);
    expect(right['members']).toEqual([{ memberId: '', groupInstanceId: 'one', errorCode: 0 }]);
    expect(await stateOf('removal')).toMatchObject({ groupState: 'Empty', members: [] });
  });
});

/** The state of a group at this instant, without a request over the wire. */
function stateNow(groupId: string): string {
  let state = '';
  const { api } = cluster().sim.broker(1)!;
  api.coordinate('DescribeGroups', { groupIds: [groupId] }, ({ groups }) => (state = groups[0]!.state));
  return state;
}
