// Clients from npm on a cluster of transaction.version 1, where no client may use the variant of 2: kafkajs and platformatic
// write transactions (wire section 14, step 19). The other files of this folder run on the default, 2.
import { Kafka, logLevel, type Producer } from 'kafkajs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { API_VERSIONS, DEMO } from '../../kafka/bodies.ts';
import { RawClient } from '../../kafka/raw-client.ts';
import { serve, type Served } from '../support/served.ts';
import { until } from '../support/until.ts';

const TRANSACTIONAL = { maxInFlightRequests: 1, idempotent: true } as const;

let cluster: Served;
let kafka: Kafka;

beforeAll(async () => {
  const small = { 'offsets.topic.num.partitions': '5', 'transaction.state.log.num.partitions': '5' };
  cluster = await serve({ ...small, 'transaction.version': '1', 'default.replication.factor': '3' });
  kafka = new Kafka({ clientId: 'test', brokers: cluster.bootstrap.split(','), logLevel: logLevel.NOTHING });
});
afterAll(() => cluster.close());

/** What a reader sees of a topic, once it is as much as expected. */
async function read(topic: string, count: number, readUncommitted: boolean): Promise<string[]> {
  const consumer = kafka.consumer({ groupId: `${topic}-${readUncommitted}`, readUncommitted, maxWaitTimeInMs: 100 });
  const values: string[] = [];
  await consumer.connect();
  try {
    await consumer.subscribe({ topics: [topic], fromBeginning: true });
    await consumer.run({ eachMessage: async ({ message }) => void values.push(String(message.value)) });
    await until(
      `${count} messages of ${topic}`,
      () => values.length,
      (length) => length >= count,
    );
    return values;
  } finally {
    await consumer.disconnect();
  }
}

async function write(producer: Producer, topic: string, value: string, commit: boolean): Promise<void> {
  const transaction = await producer.transaction();
  await transaction.send({ topic, messages: [{ value, partition: 0 }] });
  await (commit ? transaction.commit() : transaction.abort());
}

test('wire W-19, W-43: every broker offers the same versions, and says nothing of features', async () => {
  const tables = await Promise.all(
    cluster.ports.map(async (port) => {
      const client = new RawClient(port);
      const { body } = await client.ask(API_VERSIONS, 4, DEMO);
      client.close();
      return body;
    }),
  );
  expect(Object.keys(tables[0]!).sort()).toEqual(['apiKeys', 'errorCode', 'throttleTimeMs']);
  for (const table of tables) expect(table).toEqual(tables[0]);
});

test('wire ladder 19: what is aborted is invisible to who reads the committed; a second producer fences the first', async () => {
  const topic = 'nineteen';
  const make = async (): Promise<Producer> => {
    const producer = kafka.producer({ transactionalId: 'ladder-19', ...TRANSACTIONAL });
    await producer.connect();
    return producer;
  };
  const [first, second] = [await make(), await make()];
  try {
    await write(first, topic, 'committed', true);
    await write(first, topic, 'aborted', false);
    const open = await first.transaction();
    await open.send({ topic, messages: [{ value: 'fenced', partition: 0 }] });
    await write(second, topic, 'by the second', true);
    await expect(open.commit()).rejects.toMatchObject({ type: expect.stringMatching(/FENCED|EPOCH/) });
  } finally {
    await first.disconnect();
    await second.disconnect();
  }
  expect(await read(topic, 2, false)).toEqual(['committed', 'by the second']);
  expect(await read(topic, 4, true)).toEqual(['committed', 'aborted', 'fenced', 'by the second']);
});
