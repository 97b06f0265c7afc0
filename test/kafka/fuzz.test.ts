// The fuzz gates of wire W-34. After each the listener must serve as before, and nothing may have failed inside: no log
// line of level error. (10 000 pipelined requests and one-byte writes are in listener.test.ts.)
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { installed, kcat } from '../clients/run-client.ts';
import {
  API_VERSIONS,
  DEMO,
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
} from './bodies.ts';
import { uvarint } from './generic-codec.ts';
import { aListener, type Listening } from './listening.ts';
import { frame, request } from './raw-client.ts';

const RUNS = { seed: 20_260_803, numRuns: 150 };

let served: Listening;
beforeAll(async () => {
  served = await aListener();
  served.broker.createTopic('t');
});
afterAll(() => served.close());

afterEach(async () => {
  const client = served.client();
  expect((await client.ask(API_VERSIONS, 3, DEMO)).body['errorCode']).toBe(0);
  expect((await client.ask(METADATA, 4, metadataBody(null))).body['topics']).toContainEqual(
    expect.objectContaining({ name: 't', errorCode: 0 }),
  );
  client.close();
  if (installed.kcat) expect(await kcat(`127.0.0.1:${served.listener.port}`, ['-L'])).toContain('topic "t"');
  expect(served.logged.filter((line) => line.startsWith('error'))).toEqual([]);
});

/** Sends bytes on a connection of its own and a FIN, and waits until the listener has closed. */
async function attack(bytes: Buffer): Promise<void> {
  const client = served.client();
  client.socket.end(bytes);
  await client.closed();
}

const requests: readonly (readonly [string, Buffer])[] = [
  ['Produce v3', request(PRODUCE, 3, produceBody(1))],
  ['Produce v9', request(PRODUCE, 9, produceBody(-1))],
  ['Fetch v4', request(FETCH, 4, fetchBody())],
  ['Fetch v11', request(FETCH, 11, fetchBody({ forgottenTopicsData: [{ topic: 't', partitions: [1, 2] }] }))],
  [
    'Fetch v13',
    request(FETCH, 13, fetchBody({ clusterId: 'c', topics: [{ topicId: NO_ID, partitions: [fetchPartition()] }] })),
  ],
  ['ListOffsets v1', request(LIST_OFFSETS, 1, listOffsetsBody(-1))],
  ['ListOffsets v7', request(LIST_OFFSETS, 7, listOffsetsBody(-1))],
  ['Metadata v1', request(METADATA, 1, metadataBody(['t']))],
  ['Metadata v12', request(METADATA, 12, metadataBody(['t', 'u']))],
  ['ApiVersions v3', request(API_VERSIONS, 3, DEMO)],
];

describe('random bytes', () => {
  const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((values) => Buffer.from(values));

  test('wire W-34: as a stream', async () => {
    await fc.assert(fc.asyncProperty(bytes(300), attack), RUNS);
  });

  test('wire W-34: as a frame', async () => {
    await fc.assert(
      fc.asyncProperty(bytes(300), (content) => attack(frame(content))),
      RUNS,
    );
  });

  test.each(requests)('wire W-34: as the body of %s', async (_name, valid) => {
    const header = valid.subarray(4, 4 + 8 + 2 + 4);
    const attempt = (body: Buffer) => attack(frame(Buffer.concat([header, body])));
    await fc.assert(fc.asyncProperty(bytes(200), attempt), { ...RUNS, numRuns: 60 });
  });
});

describe('truncation at every byte', () => {
  test.each(requests)('wire W-34: of the stream of %s', async (_name, valid) => {
    for (let end = 0; end < valid.length; end++) await attack(valid.subarray(0, end));
  });

  test.each(requests)('wire W-34, W-28: of the frame of %s is closed without an answer', async (name, valid) => {
    const content = valid.subarray(4);
    for (let end = 0; end < content.length; end++) {
      const client = served.client();
      client.socket.end(frame(content.subarray(0, end)));
      expect(await client.closed(), `${name} cut to ${end} bytes`).toBe(0);
    }
  });
});

describe('length fields', () => {
  const int16 = ['fffe', '7fff', 'ffff'];
  const int32 = ['fffffffe', '7fffffff', 'ffffffff'];
  const varint = [0xfffffffe, 0x7fffffff, 0xffffffff].map((value) => uvarint(value).toString('hex'));

  // Every position is overwritten, so every length field is among them, whatever its width.
  test.each(requests)('wire W-34: of %s, set to -2, 0x7fffffff and 0xffffffff', async (_name, valid) => {
    const content = valid.subarray(4);
    for (let at = 0; at < content.length; at++) {
      const overwritten = [...int16, ...int32].map((value) => {
        const bytes = Buffer.from(value, 'hex');
        return Buffer.concat([content.subarray(0, at), bytes, content.subarray(at + bytes.length)]);
      });
      const inserted = varint.map((value) =>
        Buffer.concat([content.subarray(0, at), Buffer.from(value, 'hex'), content.subarray(at + 1)]),
      );
      await Promise.all([...overwritten, ...inserted].map((bytes) => attack(frame(bytes))));
    }
  });
});

describe('sizes', () => {
  test.each([
    ['100 MiB + 1', '06400001'],
    ['2^31-1', '7fffffff'],
    ['-1', 'ffffffff'],
    ['-2', 'fffffffe'],
  ])('wire W-3, W-34: a frame of %s bytes is closed at once, without a FIN', async (_size, hex) => {
    const { malformed } = served.listener.counters;
    const client = served.client();
    client.send(Buffer.concat([Buffer.from(hex, 'hex'), Buffer.alloc(10_000)]));
    expect(await client.closed()).toBe(0);
    expect(served.listener.counters.malformed).toBe(malformed + 1);
  });

  test('wire W-3: 100 MiB are announced and allocated by nobody', async () => {
    const before = process.memoryUsage().arrayBuffers;
    const clients = Array.from({ length: 50 }, () => served.client());
    for (const client of clients) client.send(Buffer.from('06400000', 'hex'));
    await served.client().ask(API_VERSIONS, 0, {});
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100 * 1024 * 1024);
    for (const client of clients) client.close();
  });
});
