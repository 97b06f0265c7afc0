// Fetch beyond its bytes: sessions, repeated topics, topic ids, errors by version.
import { describe, expect, test } from 'vitest';
import type { ErrorName } from '../../../src/protocol/errors.ts';
import { batchOf, FETCH, fetchBody, fetchPartition, NO_ID, PRODUCE, produceBody } from '../bodies.ts';
import type { Struct } from '../generic-codec.ts';
import { aServedTopic, first } from './served-topic.ts';

const { served, ask, topicId } = aServedTopic();

describe('Fetch', () => {
  const fetch = async (version: number, body: Struct) =>
    first(first((await ask(FETCH, version, body))['responses'])['partitions']);
  /** A broker that answers every fetched partition with this error. */
  function failing(error: ErrorName): void {
    served().broker.fetch = (request, answer) => {
      const partitions = request.partitions.map(({ topic, topicId: id, partition }) => ({
        ...{ topic, topicId: id, partition, error, highWatermark: 7, lastStableOffset: 7, logStartOffset: 7 },
        ...{
          records: Buffer.from('never sent'),
          divergingEpoch: null,
          currentLeader: -1,
          currentLeaderEpoch: -1,
          preferredReadReplica: -1,
          fromFollower: false,
        },
        abortedTransactions: [],
      }));
      answer({ streamGeneration: 0, sequence: 0, error: 'NONE', partitions });
      return () => undefined;
    };
  }

  test('wire W-46, W-76: an empty partition has empty records, never null', async () => {
    for (let version = 4; version <= 13; version++) {
      const topics = [{ topic: 't', topicId: topicId(), partitions: [fetchPartition()] }];
      expect(await fetch(version, fetchBody({ topics }))).toMatchObject({ errorCode: 0, records: Buffer.alloc(0) });
    }
  });

  test('wire W-76: batches go out as they are stored, up to the high watermark', async () => {
    await ask(PRODUCE, 7, produceBody(1, batchOf('a', 'b')));
    await ask(PRODUCE, 7, produceBody(1, batchOf('c')));
    const { batches } = served().broker.log('t');
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
    served().broker.createTopic('u', 2);
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
    expect(await fetch(13, byId(topicId()))).toMatchObject({ errorCode: 0, highWatermark: 0 });
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
      fetchBody({ topics: [{ topic: 't', topicId: topicId(), partitions: [fetchPartition()] }] }),
    );
    expect(answer).toMatchObject({
      ...{ errorCode, highWatermark: -1, lastStableOffset: -1, logStartOffset: -1, records: Buffer.alloc(0) },
    });
  });

  test('wire W-76, W-27: divergence is tag 0, and the only tag', async () => {
    served().broker.fetch = (request, answer) => {
      expect(request.partitions).toMatchObject([{ lastFetchedEpoch: 4, currentLeaderEpoch: 5, fetchOffset: 20 }]);
      const partitions = request.partitions.map(({ topic, topicId: id, partition }) => ({
        ...{ topic, topicId: id, partition, error: 'NONE' as const, highWatermark: 9, lastStableOffset: 9 },
        ...{ logStartOffset: 0, records: Buffer.alloc(0), divergingEpoch: { epoch: 3, endOffset: 12 } },
        ...{
          currentLeader: 2,
          currentLeaderEpoch: 5,
          abortedTransactions: [],
          preferredReadReplica: -1,
          fromFollower: false,
        },
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
    served().broker.fetch = (request, answer) => {
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
