// What the tests of groups over the wire start from: a cluster of real cores, bodies by the names of the field tables, and a
// member that joins and syncs as a client would.
import { afterAll, beforeAll } from 'vitest';
import type { NodeId } from '../../../../src/base/units.ts';
import { subscription } from '../../../coordinator/group/support/stage.ts';
import type { Struct } from '../../generic-codec.ts';
import type { RawClient } from '../../raw-client.ts';
import { RealCluster, type RealClusterOptions } from '../../real-broker.ts';

export const OFFSET_COMMIT = 8;
export const OFFSET_FETCH = 9;
export const FIND_COORDINATOR = 10;
export const JOIN_GROUP = 11;
export const HEARTBEAT = 12;
export const LEAVE_GROUP = 13;
export const SYNC_GROUP = 14;
export const DESCRIBE_GROUPS = 15;
export const LIST_GROUPS = 16;
export const DELETE_GROUPS = 42;
export const OFFSET_DELETE = 47;

/** Versions that a test goes through. */
export function versions(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

export interface Groups {
  cluster(): RealCluster;
  /** Asks on a connection of its own; of broker 1 unless told otherwise. */
  ask(key: number, version: number, body: Struct, at?: NodeId): Promise<Struct>;
  /** A stable group of one member, which leads it. */
  stable(groupId: string, more?: Struct): Promise<Member>;
}

/** A member of a generation. */
export interface Member {
  readonly client: RawClient;
  readonly groupId: string;
  readonly memberId: string;
  readonly generationId: number;
}

/** Registers the hooks of a test file. Topic "t" has two partitions, and the offsets topic is there. */
export function groupCluster(options: RealClusterOptions = {}): Groups {
  let cluster: RealCluster;
  beforeAll(async () => {
    cluster = await RealCluster.start(options);
    await cluster.createTopic('t', { partitions: 2 });
    await ready(cluster);
  });
  afterAll(() => cluster.close());
  const ask: Groups['ask'] = async (key, version, body, at) => {
    const client = cluster.client(at);
    const answer = await client.ask(key, version, body);
    client.close();
    return answer.body;
  };
  return { cluster: () => cluster, ask, stable: (groupId, more) => stable(cluster, groupId, more) };
}

/** Has the offsets topic created, and waits until it is led and loaded. */
async function ready(cluster: RealCluster): Promise<void> {
  const body = { key: 'g', keyType: 0 };
  await cluster.client().ask(FIND_COORDINATOR, 1, body);
  await cluster.until(() => cluster.sim.isLed('__consumer_offsets'));
  await cluster.until(() =>
    cluster.sim.brokerIds.every((id) => {
      let loaded = false;
      const api = cluster.sim.broker(id)!.api;
      api.coordinate('ListGroups', { states: [], types: [] }, ({ error }) => (loaded = error === 'NONE'));
      return loaded;
    }),
  );
}

export function joinBody(groupId: string, more: Struct = {}): Struct {
  return {
    ...{ groupId, sessionTimeoutMs: 10_000, rebalanceTimeoutMs: 20_000, memberId: '', groupInstanceId: null },
    ...{ protocolType: 'consumer', protocols: [{ name: 'range', metadata: subscription('t') }], reason: 'test' },
    ...more,
  };
}

export function syncBody({ groupId, memberId, generationId }: Omit<Member, 'client'>, more: Struct = {}): Struct {
  return {
    ...{ groupId, memberId, generationId, groupInstanceId: null, protocolType: 'consumer', protocolName: 'range' },
    ...{ assignments: [{ memberId, assignment: Buffer.from('all') }], ...more },
  };
}

/** A commit of t-0, unless told otherwise. */
export function commitBody(groupId: string, committedOffset: number, more: Struct = {}): Struct {
  return {
    ...{ groupId, generationIdOrMemberEpoch: -1, memberId: '', groupInstanceId: null, retentionTimeMs: -1 },
    topics: [{ name: 't', partitions: [commitOf(0, committedOffset)] }],
    ...more,
  };
}

export function commitOf(partitionIndex: number, committedOffset: number, more: Struct = {}): Struct {
  return { partitionIndex, committedOffset, committedLeaderEpoch: 0, committedMetadata: 'm', ...more };
}

/** A fetch of these topics, laid out for every version. */
export function fetchBody(groupId: string, topics: Struct[] | null, more: Struct = {}): Struct {
  const groups = [{ groupId, memberId: null, memberEpoch: -1, topics }];
  return { groupId, topics, groups, requireStable: false, ...more };
}

async function stable(cluster: RealCluster, groupId: string, more: Struct = {}): Promise<Member> {
  const client = cluster.client();
  const join = async (memberId: string) =>
    (await client.ask(JOIN_GROUP, 9, joinBody(groupId, { memberId, ...more }))).body;
  let joined = await join('');
  if (joined['errorCode'] === 79) joined = await join(joined['memberId'] as string);
  const { memberId, generationId } = joined as { memberId: string; generationId: number };
  const member = { groupId, memberId, generationId };
  const groupInstanceId = more['groupInstanceId'] ?? null;
  const { body } = await client.ask(SYNC_GROUP, 5, syncBody(member, { groupInstanceId }));
  if (body['errorCode'] !== 0) throw new Error(`SyncGroup: ${String(body['errorCode'])}`);
  return { client, ...member };
}
