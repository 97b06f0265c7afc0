// What each API does beyond its bytes: the maps between wire structures and the broker's messages, by version.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ErrorName } from '../../src/protocol/errors.ts';
import { encodeOpaqueBatch } from '../../src/log/encode-batch.ts';
import { BAD_BATCHES } from './bad-batches.ts';
import {
  batchOf,
  FETCH,
  fetchBody,
  fetchPartition,
  LIST_OFFSETS,
  listOffsetsBody,
  METADATA,
  metadataBody,
  NO_ID,
  PRODUCE,
  produceBody,
  TIME,
} from './bodies.ts';
import type { Struct } from './generic-codec.ts';
import { aListener, type Listening } from './listening.ts';

let served: Listening;
let topicId: string;
beforeEach(async () => {
  served = await aListener();
  topicId = served.broker.createTopic('t');
});
afterEach(() => served.close());

async function ask(key: number, version: number, body: Struct, clientId?: string): Promise<Struct> {
  const client = served.client();
  const answer = await client.ask(key, version, body, clientId === undefined ? {} : { clientId });
  client.close();
  return answer.body;
}
const first = (value: unknown): Struct => (value as Struct[])[0]!;

describe('Produce', () => {
  const produce = async (version: number, body: Struct) =>
    first(first((await ask(PRODUCE, version, body))['responses'])['partitionResponses']);

  test('wire W-73: offsets of what was appended, fields by version', async () => {
    expect(await produce(3, produceBody(1, batchOf('a', 'b')))).toEqual({
      ...{ index: 0, errorCode: 0, baseOffset: 0, logAppendTimeMs: -1 },
    });
    expect(await produce(5, produceBody(-1))).toMatchObject({ baseOffset: 2, logStartOffset: 0 });
    expect(await produce(9, produceBody(1))).toEqual({
      ...{ index: 0, errorCode: 0, baseOffset: 3, logAppendTimeMs: -1, logStartOffset: 0 },
      ...{ recordErrors: [], errorMessage: null },
    });
    expect(
      served.broker
        .log('t')
        .records()
        .map(({ value }) => value?.toString()),
    ).toEqual(['a', 'b', 'a', 'a']);
  });

  test.each(BAD_BATCHES)(
    'wire 6.3, ladder 9: $name is refused and the log unchanged',
    async ({ records, errorCode }) => {
      await produce(7, produceBody(1, batchOf('before')));
      for (const version of [3, 9]) {
        expect(await produce(version, produceBody(-1, records))).toMatchObject({ errorCode, baseOffset: -1, index: 0 });
      }
      expect(served.broker.log('t').batches).toHaveLength(1);
    },
  );

  test('wire 6.3: null records are refused as empty ones', async () => {
    expect(await produce(7, produceBody(1, null))).toMatchObject({ errorCode: 87 });
    expect(await produce(7, produceBody(1, Buffer.alloc(0)))).toMatchObject({ errorCode: 87 });
  });

  test('repl R-117: zstd is refused below v7', async () => {
    const times = { baseTimestamp: TIME, maxTimestamp: TIME };
    const zstd = encodeOpaqueBatch({ codec: 'zstd', body: Buffer.from('opaque'), recordCount: 1, ...times });
    expect(await produce(6, produceBody(1, zstd))).toMatchObject({ errorCode: 76 });
    expect(await produce(7, produceBody(1, zstd))).toMatchObject({ errorCode: 0 });
  });

  test('wire W-71: acks that do not exist are error 21', async () => {
    for (const acks of [2, -2, 32_767]) expect(await produce(7, produceBody(acks))).toMatchObject({ errorCode: 21 });
  });

  test('wire W-73: a message goes out with record errors only', async () => {
    served.broker.produce = (request, _origin, answer) => {
      const refused = { topic: 't', partition: 0, baseOffset: -1, logAppendTimeMs: -1, logStartOffset: -1 };
      const recordErrors = [{ batchIndex: 1, message: 'no key' }];
      const { correlationId, acks } = request;
      const withErrors = { ...refused, error: 'INVALID_RECORD' as const, errorMessage: 'null key', recordErrors };
      const without = { ...refused, error: 'MESSAGE_TOO_LARGE' as const, errorMessage: 'too large', recordErrors: [] };
      answer({ correlationId, partitions: [acks === 1 ? withErrors : without] });
      return () => undefined;
    };
    expect(await produce(8, produceBody(1))).toMatchObject({
      ...{ errorCode: 87, errorMessage: 'null key' },
      recordErrors: [{ batchIndex: 1, batchIndexErrorMessage: 'no key' }],
    });
    expect(await produce(8, produceBody(-1))).toMatchObject({ errorCode: 10, errorMessage: null, recordErrors: [] });
    expect(await produce(7, produceBody(1))).toEqual({
      ...{ index: 0, errorCode: 87, baseOffset: -1, logAppendTimeMs: -1, logStartOffset: -1 },
    });
  });

  test('repl R-117 (6): the broker is told who asks, "" for nobody', async () => {
    const asked: string[] = [];
    const { broker } = served;
    const produced = broker.produce.bind(broker);
    broker.produce = (request, origin, answer) => {
      asked.push(request.clientId, request.transactionalId);
      return produced(request, origin, answer);
    };
    await ask(PRODUCE, 9, produceBody(1), '__admin_client');
    const client = served.client();
    await client.ask(PRODUCE, 9, { ...produceBody(1), transactionalId: 'tx' }, { clientId: null });
    expect(asked).toEqual(['__admin_client', '', '', 'tx']);
  });
});

describe('Fetch', () => {
  const fetch = async (version: number, body: Struct) =>
    first(first((await ask(FETCH, version, body))['responses'])['partitions']);
  /** A broker that answers every fetched partition with this error. */
  function failing(error: ErrorName): void {
    served.broker.fetch = (request, answer) => {
      const partitions = request.partitions.map(({ topic, topicId: id, partition }) => ({
        ...{ topic, topicId: id, partition, error, highWatermark: 7, lastStableOffset: 7, logStartOffset: 7 },
        ...{ records: Buffer.from('never sent'), divergingEpoch: null, currentLeader: -1, currentLeaderEpoch: -1 },
        abortedTransactions: [],
      }));
      answer({ streamGeneration: 0, sequence: 0, error: 'NONE', partitions });
      return () => undefined;
    };
  }

  test('wire W-46, W-76: an empty partition has empty records, never null', async () => {
    for (let version = 4; version <= 13; version++) {
      const topics = [{ topic: 't', topicId, partitions: [fetchPartition()] }];
      expect(await fetch(version, fetchBody({ topics }))).toMatchObject({ errorCode: 0, records: Buffer.alloc(0) });
    }
  });

  test('wire W-76: batches go out as they are stored, up to the high watermark', async () => {
    await ask(PRODUCE, 7, produceBody(1, batchOf('a', 'b')));
    await ask(PRODUCE, 7, produceBody(1, batchOf('c')));
    const { batches } = served.broker.log('t');
    expect(await fetch(4, fetchBody())).toMatchObject({ highWatermark: 3, records: Buffer.concat(batches) });
    const fromMiddle = [{ topic: 't', partitions: [fetchPartition({ fetchOffset: 1, partitionMaxBytes: 1 })] }];
    expect(await fetch(4, fetchBody({ topics: fromMiddle }))).toMatchObject({ records: batches[0] });
  });

  test('wire W-76: abortedTransactions is null for read_uncommitted, a list for read_committed', async () => {
    expect(await fetch(4, fetchBody())).toMatchObject({ abortedTransactions: null });
    expect(await fetch(4, fetchBody({ isolationLevel: 1 }))).toMatchObject({ abortedTransactions: [] });
    failing('NOT_LEADER_OR_FOLLOWER');
    expect(await fetch(12, fetchBody())).toMatchObject({ abortedTransactions: null });
  });

  test.each([
    [0, -1, 0],
    [0, 0, 0],
    [9, -1, 0],
    [9, 0, 0],
    [9, 1, 70],
    [0, 1, 70],
    [9, -2, 70],
  ])(
    'wire W-75: session %d, epoch %d is answered %d, with session id 0',
    async (sessionId, sessionEpoch, errorCode) => {
      const answer = await ask(FETCH, 11, fetchBody({ sessionId, sessionEpoch }));
      expect(answer).toMatchObject({ errorCode, sessionId: 0 });
      expect(answer['responses']).toHaveLength(errorCode === 0 ? 1 : 0);
    },
  );

  test('wire W-53, W-41: a topic that repeats is answered where it stands, and nothing else is', async () => {
    served.broker.createTopic('u', 2);
    const topics = [
      { topic: 'u', partitions: [fetchPartition({ partition: 1 })] },
      { topic: 't', partitions: [fetchPartition()] },
      { topic: 'u', partitions: [fetchPartition()] },
    ];
    const answer = await ask(FETCH, 12, fetchBody({ topics }));
    const answered = (answer['responses'] as Struct[]).map(({ topic, partitions }) => [
      topic,
      (partitions as Struct[]).map(({ partitionIndex }) => partitionIndex),
    ]);
    expect(answered).toEqual([
      ['u', [1]],
      ['t', [0]],
      ['u', [0]],
    ]);
  });

  test('wire W-76: topic ids at v13: 100 for one that is unknown or zero', async () => {
    const other = Buffer.alloc(16, 9).toString('base64url');
    const byId = (id: string) => fetchBody({ topics: [{ topicId: id, partitions: [fetchPartition()] }] });
    expect(await fetch(13, byId(topicId))).toMatchObject({ errorCode: 0, highWatermark: 0 });
    expect(await fetch(13, byId(other))).toMatchObject({ errorCode: 100, highWatermark: -1 });
    expect(await fetch(13, byId(NO_ID))).toMatchObject({ errorCode: 100 });
    const answer = await ask(FETCH, 13, byId(other));
    expect(first(answer['responses'])['topicId']).toBe(other);
  });

  test.each([
    ['KAFKA_STORAGE_ERROR', 5, 6],
    ['KAFKA_STORAGE_ERROR', 6, 56],
    ['NOT_LEADER_OR_FOLLOWER', 5, 6],
    ['INCONSISTENT_TOPIC_ID', 13, 103],
    ['FENCED_LEADER_EPOCH', 9, 74],
    ['UNKNOWN_LEADER_EPOCH', 9, 75],
  ] as const)('wire W-76: %s at v%d is %d, with no offsets and no records', async (error, version, errorCode) => {
    failing(error);
    const answer = await fetch(
      version,
      fetchBody({ topics: [{ topic: 't', topicId, partitions: [fetchPartition()] }] }),
    );
    expect(answer).toMatchObject({
      ...{ errorCode, highWatermark: -1, lastStableOffset: -1, logStartOffset: -1, records: Buffer.alloc(0) },
    });
  });

  test('wire W-76, W-27: divergence is tag 0, and the only tag', async () => {
    served.broker.fetch = (request, answer) => {
      expect(request.partitions).toMatchObject([{ lastFetchedEpoch: 4, currentLeaderEpoch: 5, fetchOffset: 20 }]);
      const partitions = request.partitions.map(({ topic, topicId: id, partition }) => ({
        ...{ topic, topicId: id, partition, error: 'NONE' as const, highWatermark: 9, lastStableOffset: 9 },
        ...{ logStartOffset: 0, records: Buffer.alloc(0), divergingEpoch: { epoch: 3, endOffset: 12 } },
        ...{ currentLeader: 2, currentLeaderEpoch: 5, abortedTransactions: [] },
      }));
      answer({ streamGeneration: 0, sequence: 0, error: 'NONE', partitions });
      return () => undefined;
    };
    const wanted = fetchPartition({ lastFetchedEpoch: 4, currentLeaderEpoch: 5, fetchOffset: 20 });
    const answer = await fetch(12, fetchBody({ topics: [{ topic: 't', partitions: [wanted] }] }));
    expect(answer).toMatchObject({ errorCode: 0, divergingEpoch: { epoch: 3, endOffset: 12 } });
    expect(answer).not.toHaveProperty('currentLeader');
  });

  test('repl R-21: nobody is taken for a replica; an error of the whole request is in every slot', async () => {
    const asked: number[] = [];
    served.broker.fetch = (request, answer) => {
      asked.push(request.replicaId, request.replicaEpoch);
      answer({ streamGeneration: 0, sequence: 0, error: 'UNKNOWN_SERVER_ERROR', partitions: [] });
      return () => undefined;
    };
    expect(await ask(FETCH, 11, fetchBody({ replicaId: 2 }))).toMatchObject({
      ...{ errorCode: -1, responses: [{ partitions: [{ errorCode: -1 }] }] },
    });
    expect(asked).toEqual([-1, -1]);
  });
});

describe('ListOffsets', () => {
  const list = async (version: number, body: Struct) =>
    first(first((await ask(LIST_OFFSETS, version, body))['topics'])['partitions']);

  test('wire W-80, ladder 10: earliest, latest, by time, beyond the end, the largest timestamp', async () => {
    await ask(PRODUCE, 7, produceBody(1, batchOf('a', 'b', 'c')));
    const found = async (version: number, timestamp: number) => {
      const { errorCode, offset, timestamp: at } = await list(version, listOffsetsBody(timestamp));
      return [errorCode, offset, at];
    };
    for (const version of [1, 4, 7]) {
      expect(await found(version, -2)).toEqual([0, 0, -1]);
      expect(await found(version, -1)).toEqual([0, 3, -1]);
      expect(await found(version, TIME + 1)).toEqual([0, 1, TIME + 1]);
      expect(await found(version, TIME + 3)).toEqual([0, -1, -1]);
    }
    expect(await found(7, -3)).toEqual([0, 2, TIME + 2]);
  });

  test.each([
    [6, -3, 35],
    [7, -3, 0],
    [7, -4, 35],
    [1, -5, 35],
  ])('wire W-80: at v%d the timestamp %d is answered %d', async (version, timestamp, errorCode) => {
    await ask(PRODUCE, 7, produceBody(1));
    expect(await list(version, listOffsetsBody(timestamp))).toMatchObject({ errorCode });
  });

  test('repl R-37: a partition named twice is 42, whatever it asks for', async () => {
    const twice = listOffsetsBody(-1);
    twice['topics'] = [first(twice['topics']), first(listOffsetsBody(-9)['topics'])];
    const answer = await ask(LIST_OFFSETS, 5, twice);
    const codes = (answer['topics'] as Struct[]).map(({ partitions }) => first(partitions)['errorCode']);
    expect(codes).toEqual([42, 42]);
  });

  test('wire W-80: OFFSET_NOT_AVAILABLE is 78 from v5 on, 5 below', async () => {
    served.broker.listOffsets = (request, answer) =>
      answer({
        partitions: request.partitions.map(({ topic, partition }) => ({
          ...{ topic, partition, error: 'OFFSET_NOT_AVAILABLE', timestamp: 3, offset: 3, leaderEpoch: 3 },
        })),
      });
    expect(await list(4, listOffsetsBody(-1))).toEqual({
      ...{ partitionIndex: 0, errorCode: 5, timestamp: -1, offset: -1, leaderEpoch: -1 },
    });
    expect(await list(5, listOffsetsBody(-1))).toMatchObject({ errorCode: 78, offset: -1 });
  });

  test.each([
    [-1, -1],
    [-2, -2],
    [3, -1],
  ])('repl R-21: replica id %d asks as %d', async (replicaId, asked) => {
    const seen: number[] = [];
    served.broker.listOffsets = (request, answer) => {
      seen.push(request.replicaId, request.isolationLevel);
      answer({ partitions: [] });
    };
    await ask(LIST_OFFSETS, 2, { replicaId, isolationLevel: 1, topics: [] });
    expect(seen).toEqual([asked, 1]);
  });
});

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
    const { port } = served.listener;
    expect(answer).toMatchObject({
      ...{ throttleTimeMs: 0, clusterId: served.broker.clusterId, controllerId: 1 },
      brokers: [{ nodeId: 1, host: '127.0.0.1', port, rack: null }],
      topics: [{ errorCode: 0, name: 't', topicId, isInternal: false }],
    });
    expect(first(first(answer['topics'])['partitions'])).toEqual({
      ...{ errorCode: 0, partitionIndex: 0, leaderId: 1, leaderEpoch: 0 },
      ...{ replicaNodes: [1], isrNodes: [1], offlineReplicas: [] },
    });
  });

  test('wire W-37, W-70: brokers without a Kafka listener are not listed; the lowest live id is the controller', async () => {
    served.broker.metadata = (_request, answer) => {
      const broker = (id: number, name: string) => ({
        ...{ id, endpoints: [{ name, host: `h${id}`, port: 9000 + id }] },
        ...{ fenced: false, brokerEpoch: 1, inControlledShutdown: false },
      });
      const brokers = [broker(3, 'KAFKA'), broker(1, 'REPLICATION'), broker(2, 'KAFKA')];
      const partition = {
        ...{ error: 'LEADER_NOT_AVAILABLE' as const, partition: 0, leader: -1, leaderEpoch: 8, partitionEpoch: 1 },
        ...{ replicas: [4, 2], isr: [4], offlineReplicas: [4], leaderRecoveryState: 'RECOVERED' },
      };
      const topic = {
        error: 'NONE' as const,
        name: 't',
        topicId,
        isInternal: true,
        configs: [],
        partitions: [partition],
      };
      answer({ clusterId: 'c', brokers, topics: [topic], metadataOffset: 5 });
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
      { topicId, name: null },
      { topicId: NO_ID, name: 'ignored' },
    ];
    const answer = await ask(METADATA, 12, metadataBody([], { topics }));
    expect(answer['topics']).toMatchObject([
      { errorCode: 0, name: 't', topicId },
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
    expect(answer['clusterId']).toBe(served.broker.clusterId);
  });
});
