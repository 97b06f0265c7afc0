// Metadata beyond its bytes: which topics are meant, who is listed, what is created.
import { describe, expect, test } from 'vitest';
import { METADATA, metadataBody, NO_ID } from '../bodies.ts';
import type { Struct } from '../generic-codec.ts';
import { aServedTopic, first } from './served-topic.ts';

const { served, ask, topicId } = aServedTopic();

describe('Metadata', () => {
  const topicsOf = (answer: Struct) =>
    (answer['topics'] as Struct[]).map(({ errorCode, name }) => [errorCode, name] as const);

  test('wire W-68: all topics: empty at v0, null from v1 on; empty means none from v1 on', async () => {
    for (let version = 0; version <= 12; version++) {
      const all = await ask(METADATA, version, metadataBody(version === 0 ? [] : null));
      expect(topicsOf(all)).toEqual([[0, 't']]);
      if (version >= 1) expect(topicsOf(await ask(METADATA, version, metadataBody([])))).toEqual([]);
    }
  });

  test('wire W-36, W-37, W-70: the advertised listener, the cluster, a live controller, the topic id', async () => {
    const answer = await ask(METADATA, 12, metadataBody(['t']));
    const { port } = served().listener;
    expect(answer).toMatchObject({
      ...{ throttleTimeMs: 0, clusterId: served().broker.clusterId, controllerId: 1 },
      brokers: [{ nodeId: 1, host: '127.0.0.1', port, rack: null }],
      topics: [{ errorCode: 0, name: 't', topicId: topicId(), isInternal: false }],
    });
    expect(first(first(answer['topics'])['partitions'])).toEqual({
      ...{ errorCode: 0, partitionIndex: 0, leaderId: 1, leaderEpoch: 0 },
      ...{ replicaNodes: [1], isrNodes: [1], offlineReplicas: [] },
    });
  });

  test('wire W-37, W-70: brokers without a Kafka listener are not listed; the lowest live id is the controller', async () => {
    served().broker.metadata = (_request, answer) => {
      const broker = (id: number, name: string) => ({
        ...{ id, endpoints: [{ name, host: `h${id}`, port: 9000 + id }] },
        ...{ fenced: false, brokerEpoch: 1, inControlledShutdown: false, rack: '' },
      });
      const brokers = [broker(3, 'KAFKA'), broker(1, 'REPLICATION'), broker(2, 'KAFKA')];
      const partition = {
        ...{ error: 'LEADER_NOT_AVAILABLE' as const, partition: 0, leader: -1, leaderEpoch: 8, partitionEpoch: 1 },
        ...{ replicas: [4, 2], isr: [4], offlineReplicas: [4], leaderRecoveryState: 'RECOVERED' },
        ...{ elr: [], lastKnownElr: [], addingReplicas: [], removingReplicas: [] },
      };
      const topic = {
        error: 'NONE' as const,
        name: 't',
        topicId: topicId(),
        isInternal: true,
        configs: [],
        partitions: [partition],
      };
      answer({ clusterId: 'c', brokers, topics: [topic], metadataOffset: 5, transactionVersion: 2 });
    };
    const answer = await ask(METADATA, 7, metadataBody(['t']));
    expect(answer).toMatchObject({ controllerId: 2, brokers: [{ nodeId: 3 }, { nodeId: 2, host: 'h2', port: 9002 }] });
    const leaderless = { errorCode: 5, leaderId: -1, replicaNodes: [4, 2], isrNodes: [4] };
    expect(first(first(answer['topics'])['partitions'])).toMatchObject({
      ...leaderless,
      leaderEpoch: 8,
      offlineReplicas: [4],
    });
    const old = await ask(METADATA, 0, metadataBody(['t']));
    expect(first(first(old['topics'])['partitions'])).toMatchObject({ replicaNodes: [2], isrNodes: [] });
  });

  test('wire W-69: an unknown topic is created if asked for, and error 3 for now', async () => {
    expect(topicsOf(await ask(METADATA, 4, metadataBody(['new'])))).toEqual([[3, 'new']]);
    expect(topicsOf(await ask(METADATA, 4, metadataBody(['new'])))).toEqual([[3, 'new']]);
    const create = metadataBody(['new'], { allowAutoTopicCreation: true });
    expect(topicsOf(await ask(METADATA, 4, create))).toEqual([[3, 'new']]);
    expect(topicsOf(await ask(METADATA, 4, metadataBody(['new'])))).toEqual([[0, 'new']]);
    expect(topicsOf(await ask(METADATA, 3, metadataBody(['implied', 'no good'])))).toEqual([
      [3, 'implied'],
      [17, 'no good'],
    ]);
    expect(topicsOf(await ask(METADATA, 4, metadataBody(['implied', 'implied'])))).toEqual([[0, 'implied']]);
  });

  test('wire W-68: at v12 ids are asked for, and ids alone count; 100 for an unknown one', async () => {
    const unknown = Buffer.alloc(16, 9).toString('base64url');
    const topics = [
      { topicId: unknown, name: null },
      { topicId: topicId(), name: null },
      { topicId: NO_ID, name: 'ignored' },
    ];
    const answer = await ask(METADATA, 12, metadataBody([], { topics }));
    expect(answer['topics']).toMatchObject([
      { errorCode: 0, name: 't', topicId: topicId() },
      { errorCode: 100, name: null, topicId: unknown, partitions: [] },
    ]);
  });

  test.each([
    [10, 'an id', { topicId: Buffer.alloc(16, 9).toString('base64url'), name: 't' }],
    [11, 'a null name', { topicId: NO_ID, name: null }],
    [12, 'neither id nor name', { topicId: NO_ID, name: null }],
  ])('wire W-68: at v%d %s is error 42 in every topic', async (version, _what, topic) => {
    const topics = [{ topicId: NO_ID, name: 't' }, topic];
    const answer = await ask(METADATA, version, metadataBody([], { topics }));
    expect(topicsOf(answer)).toEqual([
      [42, 't'],
      [42, topic.name ?? ''],
    ]);
    expect(answer['clusterId']).toBe(served().broker.clusterId);
  });
});
