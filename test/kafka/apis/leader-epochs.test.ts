// Epochs of leaders on the wire: where they end, who is behind, what was cut, and who leads instead (wire W-62, W-76, W-81).
// Three real brokers, one of which is killed.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { batchOf, FETCH, fetchBody, fetchPartition, LIST_OFFSETS, PRODUCE, produceBody } from '../bodies.ts';
import type { Struct } from '../generic-codec.ts';
import type { RawClient } from '../raw-client.ts';
import { RealCluster } from '../real-broker.ts';
import { OFFSET_FOR_LEADER_EPOCH } from '../transactional-client.ts';
import { first } from './served-topic.ts';

let cluster: RealCluster;
let topicId: string;
/** A topic of one replica. */
let alone: string;
/** Led t-0 in epoch 0 and is dead. */
let before: number;
/** Leads t-0 in epoch 1. */
let leader: number;
let client: RawClient;

beforeAll(async () => {
  cluster = await RealCluster.start({ brokers: 3, config: { 'kafka.leader.hints': true } });
  topicId = await cluster.createTopic('t', { configs: { 'min.insync.replicas': '2' } });
  before = cluster.leaderOf('t', 0);
  await cluster.client(before).ask(PRODUCE, 7, produceBody(-1, batchOf('a', 'b', 'c')));
  cluster.kill(before);
  await cluster.until(() => ![before, -1].includes(cluster.leaderOf('t', 0)) && cluster.sim.isLed('t'));
  leader = cluster.leaderOf('t', 0);
  alone = await cluster.createTopic('alone', { replicas: 1 });
  client = cluster.client(leader);
  const produced = await client.ask(PRODUCE, 7, produceBody(-1, batchOf('d')));
  expect(first(first(produced.body['responses'])['partitionResponses'])).toMatchObject({ errorCode: 0, baseOffset: 3 });
});
afterAll(() => cluster.close());

const follower = (): number => cluster.sim.brokerIds.find((id) => id !== leader && id !== before)!;

async function fetched(version: number, more: Struct, to = client): Promise<{ partition: Struct; body: Struct }> {
  const partition = fetchPartition(more);
  const topics = [{ topic: 't', topicId: version >= 13 ? topicId : '', partitions: [partition] }];
  const { body } = await to.ask(FETCH, version, fetchBody({ topics }));
  return { partition: first(first(body['responses'])['partitions']), body };
}

describe('OffsetForLeaderEpoch', () => {
  const endOf = async (version: number, leaderEpoch: number, more: Struct = {}, to = client): Promise<Struct> => {
    const partitions = [{ partition: 0, currentLeaderEpoch: -1, leaderEpoch, ...more }];
    const body = { replicaId: -1, topics: [{ topic: 't', partitions }] };
    return first(first((await to.ask(OFFSET_FOR_LEADER_EPOCH, version, body)).body['topics'])['partitions']);
  };

  test.each([2, 3, 4])('wire W-81, ladder 22: v%i says where the epoch before the failover ended', async (version) => {
    expect(await endOf(version, 0)).toEqual({ errorCode: 0, partition: 0, leaderEpoch: 0, endOffset: 3 });
    expect(await endOf(version, 1)).toEqual({ errorCode: 0, partition: 0, leaderEpoch: 1, endOffset: 4 });
  });

  test('wire W-81: an epoch that has not begun is unknown, and no error', async () => {
    expect(await endOf(4, 7)).toEqual({ errorCode: 0, partition: 0, leaderEpoch: -1, endOffset: -1 });
  });

  test('wire W-81: 74 to whoever believes in an older leader, 75 in a newer one, 6 from a follower, 3 from nobody', async () => {
    expect(await endOf(4, 0, { currentLeaderEpoch: 0 })).toMatchObject({ errorCode: 74, endOffset: -1 });
    expect(await endOf(4, 0, { currentLeaderEpoch: 2 })).toMatchObject({ errorCode: 75 });
    expect(await endOf(4, 0, { currentLeaderEpoch: 1 })).toMatchObject({ errorCode: 0 });
    expect(await endOf(4, 0, {}, cluster.client(follower()))).toMatchObject({ errorCode: 6 });
    expect(await endOf(4, 0, { partition: 9 })).toMatchObject({ errorCode: 3, partition: 9 });
  });
});

describe('Fetch', () => {
  test.each([12, 13, 17])('wire W-76: v%i tells a reader of what was cut where its epoch ended', async (version) => {
    // It read up to offset 9 in epoch 0, which ended at 3: nothing is returned but that.
    const { partition } = await fetched(version, { fetchOffset: 9, lastFetchedEpoch: 0, currentLeaderEpoch: 1 });
    expect(partition).toMatchObject({ errorCode: 0, divergingEpoch: { epoch: 0, endOffset: 3 } });
    expect((partition['records'] as Buffer).length).toBe(0);
  });

  test('wire W-76: below v12 it is 1; where nothing was cut there is no such tag', async () => {
    expect((await fetched(11, { fetchOffset: 9 })).partition).toMatchObject({ errorCode: 1 });
    const { partition } = await fetched(13, { fetchOffset: 3, lastFetchedEpoch: 0, currentLeaderEpoch: 1 });
    expect(partition).not.toHaveProperty('divergingEpoch');
    expect((partition['records'] as Buffer).length).toBeGreaterThan(0);
  });
});

describe('kafka.leader.hints', () => {
  const endpoint = (): Struct => ({ nodeId: leader, host: '127.0.0.1', port: cluster.port(leader), rack: null });

  test.each([16, 17])(
    'wire W-62: Fetch v%i says who leads instead, to a stranger and to one of an old epoch',
    async (version) => {
      // A follower serves consumers of these versions (repl R-24): astray is who asks a broker without a replica.
      const leaderId = cluster.leaderOf('alone', 0);
      const stranger = [leader, follower()].find((id) => id !== leaderId)!;
      const topics = [{ topic: '', topicId: alone, partitions: [fetchPartition({})] }];
      const { body } = await cluster.client(stranger).ask(FETCH, version, fetchBody({ topics }));
      const astray = first(first(body['responses'])['partitions']);
      expect(astray).toMatchObject({ errorCode: 6, currentLeader: { leaderId, leaderEpoch: 0 } });
      expect(body['nodeEndpoints']).toMatchObject([{ nodeId: leaderId, port: cluster.port(leaderId) }]);
      const { partition } = await fetched(version, { currentLeaderEpoch: 0 });
      expect(partition).toMatchObject({ errorCode: 74, currentLeader: { leaderId: leader, leaderEpoch: 1 } });
    },
  );

  test('wire W-62: Fetch 13 and answers without an error say nothing', async () => {
    const astray = await fetched(13, {}, cluster.client(follower()));
    expect(astray.partition).not.toHaveProperty('currentLeader');
    const { body, partition } = await fetched(17, {});
    expect([body, partition].flatMap((each) => Object.keys(each))).not.toContain('currentLeader');
    expect(body).not.toHaveProperty('nodeEndpoints');
  });

  test.each([10, 11, 12])('wire W-62: Produce v%i says who leads instead; v9 does not', async (version) => {
    const to = cluster.client(follower());
    const { body } = await to.ask(PRODUCE, version, produceBody(-1));
    expect(first(first(body['responses'])['partitionResponses'])).toMatchObject({
      ...{ errorCode: 6, currentLeader: { leaderId: leader, leaderEpoch: 1 } },
    });
    expect(body['nodeEndpoints']).toEqual([endpoint()]);
    expect((await to.ask(PRODUCE, 9, produceBody(-1))).body).not.toHaveProperty('nodeEndpoints');
  });
});

describe('ListOffsets', () => {
  const listed = async (version: number, timestamp: number, isolationLevel = 0): Promise<Struct> => {
    const partitions = [{ partitionIndex: 0, currentLeaderEpoch: -1, timestamp }];
    const body = { replicaId: -1, isolationLevel, topics: [{ name: 't', partitions }] };
    return first(first((await client.ask(LIST_OFFSETS, version, body)).body['topics'])['partitions']);
  };

  test('wire W-80, ladder 10: -3 from v7 on, below it and for every other negative timestamp 35', async () => {
    expect(await listed(7, -3)).toMatchObject({ errorCode: 0, offset: 2, leaderEpoch: 0 });
    expect(await listed(6, -3)).toMatchObject({ errorCode: 35, offset: -1 });
    for (const timestamp of [-4, -5, -6, -7]) expect(await listed(7, timestamp)).toMatchObject({ errorCode: 35 });
  });

  test('wire W-80: both isolations without transactions: the end; the epoch stands with it from v4 on', async () => {
    for (const isolation of [0, 1]) {
      expect(await listed(7, -1, isolation)).toMatchObject({ offset: 4, timestamp: -1, leaderEpoch: 1 });
    }
    expect(await listed(3, -1)).toEqual({ partitionIndex: 0, errorCode: 0, timestamp: -1, offset: 4 });
    expect(await listed(7, -2)).toMatchObject({ offset: 0, leaderEpoch: 0 });
  });
});
