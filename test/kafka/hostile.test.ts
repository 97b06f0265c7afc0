// What no client may do to a broker, whatever it sends: well-formed requests that cannot be answered, numbers that cannot be
// told. Against a real core behind its door, which an exception would stop for good.
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { encodeBatch, encodeOpaqueBatch } from '../../src/log/encode-batch.ts';
import { first } from './apis/served-topic.ts';
import { listOffsetsBody, LIST_OFFSETS, METADATA, metadataBody, PRODUCE, produceBody } from './bodies.ts';
import type { Struct } from './generic-codec.ts';
import { frame, type RawClient } from './raw-client.ts';
import { RealCluster } from './real-broker.ts';
import { DESCRIBE_PRODUCERS } from './transactional-client.ts';

let cluster: RealCluster;
let client: RawClient;
beforeAll(async () => {
  cluster = await RealCluster.start();
  await cluster.createTopic('t', { configs: { 'message.timestamp.after.max.ms': String(Number.MAX_SAFE_INTEGER) } });
  client = cluster.client();
});
afterAll(() => cluster.close());

afterEach(async () => {
  const { body } = await cluster.client().ask(METADATA, 5, metadataBody(['t']));
  expect(first(body['topics'])).toMatchObject({ name: 't', errorCode: 0 });
});

const produce = async (records: Buffer): Promise<Struct> =>
  first(first((await client.ask(PRODUCE, 9, produceBody(1, records)))['body']['responses'])['partitionResponses']);

describe('a name that grows when it is echoed', () => {
  // Bytes that are no UTF-8 are read as replacement characters of three bytes each (wire W-29).
  const name = Buffer.concat([Buffer.from([0x7f, 0xff]), Buffer.alloc(0x7fff, 0xff)]);
  const header = (key: number, version: number): Buffer => {
    const bytes = Buffer.alloc(10);
    bytes.writeInt16BE(key, 0);
    bytes.writeInt16BE(version, 2);
    bytes.writeInt16BE(-1, 8);
    return bytes;
  };
  const one = Buffer.from([0, 0, 0, 1]);

  test.each([
    ['Metadata', Buffer.concat([header(3, 1), one, name])],
    ['ListOffsets', Buffer.concat([header(2, 1), Buffer.alloc(4, 0xff), one, name, one, Buffer.alloc(12)])],
    ['DeleteGroups', Buffer.concat([header(42, 0), one, name])],
    ['DeleteTopics', Buffer.concat([header(20, 1), one, name, Buffer.alloc(4)])],
  ])('wire W-30: %s closes this connection and nothing else', async (_api, request) => {
    const attacker = cluster.client();
    attacker.send(frame(request));
    expect(await attacker.closed()).toBe(0);
  });
});

describe('numbers beyond 2^53', () => {
  test('wire 6.3: a producer id that nobody can have been given is error 87, and producers can be described', async () => {
    const record = { timestamp: Date.now(), key: null, value: Buffer.from('a') };
    for (const producerId of [2n ** 53n, 2n ** 60n, 2n ** 63n - 1n]) {
      const batch = encodeBatch([record], { producerEpoch: 0, baseSequence: 0, producerId: producerId as never });
      expect(await produce(batch)).toMatchObject({ errorCode: 87, baseOffset: -1 });
    }
    const { body } = await client.ask(DESCRIBE_PRODUCERS, 0, { topics: [{ name: 't', partitionIndexes: [0] }] });
    expect(first(first(body['topics'])['partitions'])).toMatchObject({ errorCode: 0, activeProducers: [] });
  });

  test('wire 6.3: a timestamp that has no exact number is error 32, and the largest can be asked for', async () => {
    const at = (timestamp: bigint): Buffer =>
      encodeOpaqueBatch({
        ...{ codec: 'gzip', body: Buffer.from('?'), recordCount: 1 },
        ...{ baseTimestamp: timestamp as never, maxTimestamp: timestamp as never },
      });
    for (const timestamp of [2n ** 53n, 2n ** 62n, -(2n ** 62n)]) {
      expect(await produce(at(timestamp))).toMatchObject({ errorCode: 32, baseOffset: -1 });
    }
    expect(await produce(at(2n ** 53n - 1n))).toMatchObject({ errorCode: 0 });
    const { body } = await client.ask(LIST_OFFSETS, 7, listOffsetsBody(-3));
    expect(first(first(body['topics'])['partitions'])).toMatchObject({ timestamp: Number.MAX_SAFE_INTEGER });
  });
});
