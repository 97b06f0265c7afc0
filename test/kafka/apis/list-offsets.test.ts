// ListOffsets beyond its bytes: what is found, and which timestamps and errors a version knows.
import { describe, expect, test } from 'vitest';
import { batchOf, LIST_OFFSETS, listOffsetsBody, PRODUCE, produceBody, TIME } from '../bodies.ts';
import type { Struct } from '../generic-codec.ts';
import { aServedTopic, first } from './served-topic.ts';

const { served, ask } = aServedTopic();

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
    served().broker.listOffsets = (request, answer) =>
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
    served().broker.listOffsets = (request, answer) => {
      seen.push(request.replicaId, request.isolationLevel);
      answer({ partitions: [] });
    };
    await ask(LIST_OFFSETS, 2, { replicaId, isolationLevel: 1, topics: [] });
    expect(seen).toEqual([asked, 1]);
  });
});
