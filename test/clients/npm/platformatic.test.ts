// @platformatic/kafka (wire section 14, step 13): the client that wants the newest versions.
import { Admin, Consumer, Producer, stringDeserializers, stringSerializers } from '@platformatic/kafka';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serve, type Served } from '../support/served.ts';
import { until } from '../support/until.ts';

let cluster: Served;
let admin: Admin;
const client = () => ({ clientId: 'test', bootstrapBrokers: cluster.bootstrap.split(',') });

beforeAll(async () => {
  cluster = await serve({ 'offsets.topic.num.partitions': '5' });
  admin = new Admin(client());
});
afterAll(async () => {
  await admin.close();
  await cluster.close();
});

test('wire ladder 13: a group reads by topic ids what a producer sends', async () => {
  await admin.createTopics({ topics: ['read'], partitions: 2, replicas: 3 });
  const producer = new Producer({ ...client(), serializers: stringSerializers });
  const values = Array.from({ length: 100 }, (_, index) => `v${index}`);
  const messages = values.map((value, index) => ({ topic: 'read', key: `k${index}`, value, partition: index % 2 }));
  const { offsets } = await producer.send({ acks: -1, messages });
  expect(offsets).toHaveLength(2);
  await producer.close();
  const consumer = new Consumer({
    ...client(),
    groupId: 'readers',
    deserializers: stringDeserializers,
    maxWaitTime: 100,
  });
  const seen: string[] = [];
  try {
    const stream = await consumer.consume({ topics: ['read'], mode: 'earliest', autocommit: false });
    stream.on('data', (message) => {
      seen.push(message.value);
      void message.commit();
    });
    await until(
      'every message',
      () => seen.length,
      (count) => count === values.length,
    );
    await stream.close();
  } finally {
    await consumer.close(true);
  }
  expect(seen.sort()).toEqual([...values].sort());
});

test('wire ladder 13: an idempotent producer', async () => {
  await admin.createTopics({ topics: ['idempotent'], partitions: 1, replicas: 3 });
  const producer = new Producer({ ...client(), serializers: stringSerializers, idempotent: true });
  for (let index = 0; index < 3; index++) {
    const { offsets } = await producer.send({ messages: [{ topic: 'idempotent', value: `v${index}`, partition: 0 }] });
    expect(offsets?.[0]?.offset).toBe(BigInt(index));
  }
  await producer.close();
});

test('wire ladder 13: admin creates, describes groups and deletes', async () => {
  const [created] = await admin.createTopics({ topics: ['managed'], partitions: 1, replicas: 3 });
  expect(created).toMatchObject({ name: 'managed', partitions: 1, replicas: 3 });
  await expect(admin.createTopics({ topics: ['managed'], partitions: 1, replicas: 3 })).rejects.toThrow();
  const listed = await admin.listGroups();
  expect(listed).toBeInstanceOf(Map);
  await admin.deleteTopics({ topics: ['managed'] });
  const topics = async () => {
    const { topics: all } = await admin.metadata({ topics: [] });
    return [...all.keys()];
  };
  await until('the topic gone', topics, (names) => !names.includes('managed'));
});
