// Groups over the wire while their coordinator dies: with a stable group, and between the answers to JoinGroup and SyncGroup
// (wire G-7, G-11, ladder 15 and 16).
import { afterEach, describe, expect, test } from 'vitest';
import { coordinatorPartition } from '../../../../src/base/java-hash.ts';
import type { NodeId } from '../../../../src/base/units.ts';
import { equals, faultSpec } from '../../../../src/fault/spec.ts';
import type { Struct } from '../../generic-codec.ts';
import type { RawClient } from '../../raw-client.ts';
import { first } from '../served-topic.ts';
import {
  commitBody,
  DESCRIBE_GROUPS,
  FIND_COORDINATOR,
  groupCluster,
  HEARTBEAT,
  JOIN_GROUP,
  joinBody,
  OFFSET_COMMIT,
  SYNC_GROUP,
  syncBody,
} from './support.ts';

const { cluster, ask } = groupCluster({ brokers: 3 });
const LONG = { sessionTimeoutMs: 60_000, rebalanceTimeoutMs: 60_000 };
const dead: NodeId[] = [];

afterEach(async () => {
  cluster().sim.disarm('*');
  for (const id of dead.splice(0)) await cluster().restart(id);
});

const coordinatorOf = (groupId: string) => cluster().leaderOf('__consumer_offsets', coordinatorPartition(groupId, 5));

/** Joins by an id that is asked for first. */
async function join(client: RawClient, groupId: string, memberId?: string) {
  const ask1 = async (id: string) =>
    (await client.ask(JOIN_GROUP, 9, joinBody(groupId, { memberId: id, ...LONG }))).body;
  const id = memberId ?? ((await ask1(''))['memberId'] as string);
  const joined = await ask1(id);
  expect(joined['errorCode']).toBe(0);
  return { groupId, memberId: id, generationId: joined['generationId'] as number };
}

/** Kills the coordinator when a SyncGroup of this group reaches it. */
function killAtSync(groupId: string): NodeId {
  const coordinator = coordinatorOf(groupId);
  const where = [equals('group', groupId), equals('node', coordinator)];
  const draft = { id: 'sync', point: 'rpc.SyncGroup.request', where, nth: 1, times: 1 };
  expect(cluster().sim.arm(faultSpec({ ...draft, action: 'kill' }))).toBe('');
  dead.push(coordinator);
  return coordinator;
}

/** Asks whoever a living broker names, until it is a coordinator that knows; all error codes that came on the way. */
async function askNext(old: NodeId, groupId: string, of: (client: RawClient) => Promise<number>): Promise<number[]> {
  const codes: number[] = [];
  const asker = cluster().sim.brokerIds.find((id) => id !== old)!;
  for (;;) {
    const found = await ask(FIND_COORDINATOR, 1, { key: groupId, keyType: 0 }, asker);
    if (found['errorCode'] !== 0 || found['nodeId'] === old) continue;
    const client = cluster().client(found['nodeId'] as number);
    codes.push(await of(client));
    client.close();
    if (![14, 15, 16].includes(codes.at(-1)!)) return codes;
  }
}

const codeOf = async (answer: Promise<{ readonly body: Struct }>) => (await answer).body['errorCode'] as number;

describe('ladder 15: a stable group', () => {
  test('wire G-7, G-11: 16 or 14, then the same generation, which commits', async () => {
    const groupId = 'fifteen';
    const before = coordinatorOf(groupId);
    const client = cluster().client(before);
    const member = await join(client, groupId);
    expect(await codeOf(client.ask(SYNC_GROUP, 5, syncBody(member)))).toBe(0);
    const other = cluster().sim.brokerIds.find((id) => id !== before)!;
    expect(await ask(HEARTBEAT, 4, { ...member, groupInstanceId: null }, other)).toMatchObject({ errorCode: 16 });

    dead.push(before);
    cluster().kill(before);
    const beats = await askNext(before, groupId, (next) =>
      codeOf(next.ask(HEARTBEAT, 4, { ...member, groupInstanceId: null })),
    );
    expect(beats.at(-1)).toBe(0);
    const { memberId, generationId } = member;
    const commit = commitBody(groupId, 9, { memberId, generationIdOrMemberEpoch: generationId });
    const commits = await askNext(before, groupId, async (next) => {
      const { body } = await next.ask(OFFSET_COMMIT, 9, commit);
      return first(first(body['topics'])['partitions'])['errorCode'] as number;
    });
    expect(commits.at(-1)).toBe(0);
    const body = { groups: [groupId], includeAuthorizedOperations: false };
    const described = first((await ask(DESCRIBE_GROUPS, 5, body, coordinatorOf(groupId)))['groups']);
    expect(described).toMatchObject({ groupState: 'Stable', members: [{ memberId, clientHost: '/127.0.0.1' }] });
  });
});

describe('ladder 16: between the answers to JoinGroup and SyncGroup', () => {
  test('wire G-10, G-11: of a first generation nothing is left: 25, and a new start', async () => {
    const groupId = 'sixteen';
    const killed = killAtSync(groupId);
    const client = cluster().client(killed);
    const member = await join(client, groupId);
    await expect(client.ask(SYNC_GROUP, 5, syncBody(member))).rejects.toThrow('closed');

    const sync = await askNext(killed, groupId, (next) => codeOf(next.ask(SYNC_GROUP, 5, syncBody(member))));
    expect(sync.at(-1)).toBe(25);
    const next = cluster().client(coordinatorOf(groupId));
    const rejoin = joinBody(groupId, { memberId: member.memberId, ...LONG });
    expect(await codeOf(next.ask(JOIN_GROUP, 9, rejoin))).toBe(25);
    const again = await join(next, groupId);
    expect(again.generationId).toBe(1);
    expect(await codeOf(next.ask(SYNC_GROUP, 5, syncBody(again)))).toBe(0);
  });

  test('wire G-11: of a later one its members are left in the generation before: 22, and they join again', async () => {
    const groupId = 'later';
    const [a, b] = [cluster().client(coordinatorOf(groupId)), cluster().client(coordinatorOf(groupId))];
    const old = await join(a, groupId);
    expect(await codeOf(a.ask(SYNC_GROUP, 5, syncBody(old)))).toBe(0);
    const killed = killAtSync(groupId);
    const joining = join(b, groupId);
    const told = async () => codeOf(a.ask(HEARTBEAT, 4, { ...old, groupInstanceId: null }));
    while ((await told()) !== 27);
    const [second, third] = await Promise.all([join(a, groupId, old.memberId), joining]);
    expect([second.generationId, third.generationId]).toEqual([2, 2]);
    await expect(a.ask(SYNC_GROUP, 5, syncBody(second))).rejects.toThrow('closed');

    const known = await askNext(killed, groupId, (next) => codeOf(next.ask(SYNC_GROUP, 5, syncBody(second))));
    expect(known.at(-1)).toBe(22);
    const unknown = await askNext(killed, groupId, (next) => codeOf(next.ask(SYNC_GROUP, 5, syncBody(third))));
    expect(unknown.at(-1)).toBe(25);
    const next = cluster().client(coordinatorOf(groupId));
    const again = await join(next, groupId, old.memberId);
    expect(again).toMatchObject({ memberId: old.memberId, generationId: 2 });
    expect(await codeOf(next.ask(SYNC_GROUP, 5, syncBody(again)))).toBe(0);
  });
});
