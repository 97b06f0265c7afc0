// What must be seen of the whole wire table (wire W-12, W-34): no byte string crashes, stalls or corrupts a broker, whichever
// API it is for, and after each a fresh client works. Against the real cores of a broker, over real sockets.
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { WIRE_APIS } from '../../src/kafka/registry.ts';
import { API_VERSIONS, batchOf, DEMO, FETCH, fetchBody, INIT_PRODUCER_ID, LIST_OFFSETS } from './bodies.ts';
import { listOffsetsBody, METADATA, metadataBody, PRODUCE, produceBody } from './bodies.ts';
import { first } from './apis/served-topic.ts';
import { anyStruct, type Struct } from './generic-codec.ts';
import { grammarOf } from './grammar.ts';
import { frame, request } from './raw-client.ts';
import { RealCluster } from './real-broker.ts';
import { coordinated, DESCRIBE_PRODUCERS, FIND_COORDINATOR, LIST_TRANSACTIONS } from './transactional-client.ts';

const RUNS = { seed: 20_261_130, numRuns: 12 };
const HEADER_BYTES = 4 + 8 + 2 + 4;

let cluster: RealCluster;
beforeAll(async () => {
  cluster = await RealCluster.start();
  await cluster.createTopic('t');
  const client = cluster.client();
  await coordinated(client);
  await client.ask(PRODUCE, 9, produceBody(-1, batchOf('kept')));
  client.close();
});
afterAll(() => cluster.close());

afterEach(async () => {
  const client = cluster.client();
  expect((await client.ask(API_VERSIONS, 3, DEMO)).body['errorCode']).toBe(0);
  const read = await client.ask(FETCH, 11, fetchBody());
  const { records, highWatermark } = first(first(read.body['responses'])['partitions']);
  expect(highWatermark).toBe(1);
  expect((records as Buffer).includes('kept')).toBe(true);
  client.close();
  expect(cluster.logged.filter((line) => line.startsWith('error'))).toEqual([]);
});

/** Sends bytes on a connection of its own and a FIN, and waits until the broker has closed. */
async function attack(bytes: Buffer): Promise<void> {
  const client = cluster.client();
  client.socket.end(bytes);
  await client.closed();
}

interface Spoiling {
  readonly how: 'not' | 'cut' | 'overwritten' | 'inserted';
  readonly at: number;
  readonly bytes: Uint8Array;
}
const spoiling: fc.Arbitrary<Spoiling> = fc.record({
  how: fc.constantFrom('not', 'cut', 'overwritten', 'inserted'),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  bytes: fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 8 }),
    fc.constantFrom(...['ffffffff', '7fffffff', 'fffffffe', 'ffffffff0f'].map((hex) => Buffer.from(hex, 'hex'))),
  ),
});

/** A frame's content, changed somewhere behind its header. */
function spoiled(content: Buffer, { how, at, bytes }: Spoiling): Buffer {
  if (how === 'not') return content;
  const place = Math.min(content.length, HEADER_BYTES - 4 + Math.floor(at * (content.length - HEADER_BYTES + 5)));
  const [before, after] = [content.subarray(0, place), content.subarray(place)];
  if (how === 'cut') return before;
  return Buffer.concat([before, bytes, how === 'inserted' ? after : after.subarray(bytes.length)]);
}

describe('any request of any API, whole or spoiled', () => {
  test.each(WIRE_APIS.map((api) => [api.name, api] as const))('wire W-34: %s', async (_name, { key, implemented }) => {
    const anyRequest = fc
      .integer(implemented)
      .chain((version) => fc.tuple(fc.constant(version), anyStruct(grammarOf(key).request, version), spoiling));
    await fc.assert(
      fc.asyncProperty(anyRequest, async ([version, body, how]) => {
        await attack(frame(spoiled(request(key, version, body).subarray(4), how)));
      }),
      RUNS,
    );
  });
});

test('wire W-12: 1000 pipelined requests of many APIs, parked ones among them, are answered in order', async () => {
  const wait = { maxWaitMs: 5, topics: [{ topic: 't', topicId: 'AAAAAAAAAAAAAAAAAAAAAA', partitions: [atEnd()] }] };
  const kinds: readonly (readonly [number, number, Struct])[] = [
    [API_VERSIONS, 3, DEMO],
    [PRODUCE, 9, produceBody(-1, batchOf('x'), 'pipelined')],
    [METADATA, 12, metadataBody(['t'])],
    [LIST_OFFSETS, 7, listOffsetsBody(-1)],
    [FIND_COORDINATOR, 4, { keyType: 0, coordinatorKeys: ['g'] }],
    [INIT_PRODUCER_ID, 4, { transactionalId: null, transactionTimeoutMs: 1, producerId: -1, producerEpoch: -1 }],
    [DESCRIBE_PRODUCERS, 0, { topics: [{ name: 't', partitionIndexes: [0] }] }],
    [LIST_TRANSACTIONS, 1, { stateFilters: [], producerIdFilters: [], durationFilter: -1 }],
    [FETCH, 11, fetchBody(wait)],
  ];
  await cluster.createTopic('pipelined');
  const client = cluster.client();
  const count = 1000;
  const each = Array.from({ length: count }, (_, i) => {
    const [key, version, body] = kinds[(i * 7) % kinds.length]!;
    return request(key, version, body, { correlationId: i });
  });
  client.send(Buffer.concat(each));
  for (let i = 0; i < count; i++) expect((await client.receive()).readInt32BE(0)).toBe(i);
});

/** Of t-0, far beyond its end once there is nothing more: waits as long as it may. */
function atEnd(): Struct {
  return {
    ...{ partition: 0, currentLeaderEpoch: -1, fetchOffset: 1, lastFetchedEpoch: -1, logStartOffset: -1 },
    partitionMaxBytes: 1000,
  };
}

test('wire W-6: 1000 connections at once are all served', async () => {
  const clients = Array.from({ length: 1000 }, () => cluster.client());
  const answers = await Promise.all(clients.map((client) => client.ask(METADATA, 9, metadataBody(['t']))));
  for (const { body } of answers) expect(body['topics']).toMatchObject([{ name: 't', errorCode: 0 }]);
  for (const client of clients) client.close();
});
