// What a listener must bear, over real cores and the full table: long pipelines, many connections, readers that do not read, and
// any bytes at all as the body of any request. After each a fresh client works and nothing has failed inside.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WIRE_APIS } from '../../src/kafka/registry.ts';
import { first } from './apis/served-topic.ts';
import {
  API_VERSIONS,
  batchOf,
  DEMO,
  FETCH,
  fetchBody,
  LIST_OFFSETS,
  listOffsetsBody,
  METADATA,
  metadataBody,
  PRODUCE,
  produceBody,
} from './bodies.ts';
import { aListener } from './listening.ts';
import { frame, request, type RawClient } from './raw-client.ts';
import { RealCluster } from './real-broker.ts';

let cluster: RealCluster;
beforeAll(async () => {
  cluster = await RealCluster.start();
  await cluster.createTopic('t');
});
afterAll(() => cluster.close());

/** A fresh client produces and reads, and no log line tells of an error. */
async function works(): Promise<void> {
  const client = cluster.client();
  const produced = await client.ask(PRODUCE, 7, produceBody(-1));
  expect(first(first(produced.body['responses'])['partitionResponses'])).toMatchObject({ errorCode: 0 });
  client.close();
  expect(cluster.logged.filter((line) => line.startsWith('error'))).toEqual([]);
}

test('wire W-12: 1000 requests of five kinds, pipelined, are answered in order', async () => {
  const kinds: readonly ((correlationId: number) => Buffer)[] = [
    (correlationId) => request(PRODUCE, 7, produceBody(-1), { correlationId }),
    (correlationId) => request(FETCH, 11, fetchBody(), { correlationId }),
    (correlationId) => request(LIST_OFFSETS, 5, listOffsetsBody(-1), { correlationId }),
    (correlationId) => request(METADATA, 9, metadataBody(['t']), { correlationId }),
    (correlationId) => request(API_VERSIONS, 3, DEMO, { correlationId }),
  ];
  const client = cluster.client();
  client.send(Buffer.concat(Array.from({ length: 1000 }, (_, i) => kinds[i % kinds.length]!(i))));
  for (let i = 0; i < 1000; i++) expect((await client.receive()).readInt32BE(0)).toBe(i);
  await works();
});

test('1000 connections are served at once', async () => {
  const clients: RawClient[] = Array.from({ length: 1000 }, () => cluster.client());
  const answers = await Promise.all(clients.map((client) => client.ask(METADATA, 4, metadataBody(['t']))));
  expect(answers.map(({ body }) => first(body['topics'])['errorCode'])).toEqual(answers.map(() => 0));
  for (const client of clients) client.close();
  await works();
});

test('a reader that does not read is not served on: its answers would fill the memory', async () => {
  const { broker, client, close } = await aListener();
  broker.createTopic('t');
  await client().ask(PRODUCE, 7, produceBody(1, batchOf('x'.repeat(1_000_000))));
  let served = 0;
  const fetch = broker.fetch.bind(broker);
  broker.fetch = (asked, answer) => {
    served += 1;
    return fetch(asked, answer);
  };
  const slow = client();
  slow.socket.pause();
  const asked = 100;
  slow.send(Buffer.concat(Array.from({ length: asked }, () => request(FETCH, 11, fetchBody({ maxBytes: 2_000_000 })))));
  // Whoever asks later is served although the slow one is not.
  for (let i = 0; i < 50; i++) await client().ask(API_VERSIONS, 3, DEMO);
  expect(served).toBeGreaterThan(0);
  expect(served).toBeLessThan(50); // what the sockets of both sides hold, and one answer
  slow.socket.resume();
  for (let i = 0; i < asked; i++) await slow.receive();
  expect(served).toBe(asked);
  await close();
});

describe('wire W-30, W-34: any bytes as the body of any request', () => {
  const versions = WIRE_APIS.flatMap(({ key, name, implemented }) =>
    Array.from({ length: implemented.max - implemented.min + 1 }, (_, i) => ({
      key,
      name,
      version: implemented.min + i,
    })),
  );
  const bodies = fc.array(
    fc.oneof(
      fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
      // Small numbers, as counts and lengths are: these get further.
      fc.array(fc.constantFrom(0, 0, 0, 1, 2, 0xff), { maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
    ),
    { minLength: versions.length, maxLength: versions.length },
  );

  test('no string of bytes crashes, stalls or corrupts, at any version of any API', async () => {
    const attack = async (content: readonly Buffer[]): Promise<void> => {
      for (const [at, { key, version }] of versions.entries()) {
        const header = Buffer.from([0, key, 0, version, 0, 0, 0, 1, 0, 0]);
        const client = cluster.client();
        client.socket.end(frame(Buffer.concat([header, content[at]!])));
        await client.closed();
      }
      await works();
    };
    await fc.assert(fc.asyncProperty(bodies, attack), { seed: 20_261_130, numRuns: 4 });
  });
});
