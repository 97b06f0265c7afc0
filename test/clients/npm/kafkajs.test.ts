// kafkajs: groups, transactions, admin (wire section 14, steps 6, 12, 19).
import { Kafka, logLevel, type Admin, type Producer } from 'kafkajs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serve, type Served } from '../support/served.ts';
import { Lines } from '../support/lines.ts';
import { transactionState } from '../support/transactions.ts';
import { until } from '../support/until.ts';

const MEMBER = fileURLToPath(new URL('member.mjs', import.meta.url));
const SESSION_MS = 2000;

let cluster: Served;
let kafka: Kafka;
let admin: Admin;

beforeAll(async () => {
  cluster = await serve({ 'offsets.topic.num.partitions': '5' });
  kafka = new Kafka({ clientId: 'test', brokers: cluster.bootstrap.split(','), logLevel: logLevel.NOTHING });
  admin = kafka.admin();
  await admin.connect();
});
afterAll(async () => {
  await admin.disconnect();
  await cluster.close();
});

const topic = (name: string, numPartitions: number) =>
  admin.createTopics({ waitForLeaders: true, topics: [{ topic: name, numPartitions, replicationFactor: 3 }] });

/** Runs with a connected producer. */
async function producing<T>(options: object, work: (producer: Producer) => Promise<T>): Promise<T> {
  const producer = kafka.producer({ ...options });
  await producer.connect();
  try {
    return await work(producer);
  } finally {
    await producer.disconnect();
  }
}

/** What a consumer of a group of its own reads until there is as much as expected. */
async function read(name: string, count: number, readUncommitted = false): Promise<string[]> {
  const groupId = `read-${name}-${readUncommitted}-${Math.trunc(performance.now())}`;
  const consumer = kafka.consumer({ groupId, readUncommitted, maxWaitTimeInMs: 100 });
  const values: string[] = [];
  await consumer.connect();
  try {
    await consumer.subscribe({ topics: [name], fromBeginning: true });
    await consumer.run({ eachMessage: async ({ message }) => void values.push(String(message.value)) });
    await until(
      `${count} messages of ${name}`,
      () => values.length,
      (length) => length >= count,
    );
    return values;
  } finally {
    await consumer.disconnect();
  }
}

test('wire ladder 6: what a producer sends a group reads', async () => {
  await topic('plain', 1);
  const values = Array.from({ length: 200 }, (_, index) => `v${index}`);
  await producing({}, (producer) =>
    producer.send({ topic: 'plain', acks: -1, messages: values.map((value) => ({ value })) }),
  );
  expect(await read('plain', values.length)).toEqual(values);
});

test('wire ladder 12: of three members one is killed; its partitions move, and no message is skipped', async () => {
  await topic('moved', 6);
  interface Said {
    readonly assigned?: readonly number[];
    readonly partition?: number;
    readonly offset?: number;
    readonly value?: string;
  }
  const args = [MEMBER, cluster.bootstrap, 'moving', 'moved', String(SESSION_MS)];
  const members = [0, 1, 2].map(() => new Lines<Said>(process.execPath, args));
  const assigned = ({ said }: Lines<Said>) => said.findLast((line) => line.assigned !== undefined)?.assigned ?? [];
  const all = (of: readonly Lines<Said>[]) => of.flatMap(assigned).sort();
  const send = (from: number) =>
    producing({}, (producer) =>
      producer.send({
        topic: 'moved',
        acks: -1,
        messages: Array.from({ length: 60 }, (_, index) => ({ partition: index % 6, value: `m${from + index}` })),
      }),
    );
  try {
    await until(
      'two partitions each',
      () => members.map((each) => assigned(each).length),
      (counts) => counts.every((count) => count === 2),
    );
    await send(0);
    await members[2]!.kill();
    await send(60);
    const left = members.slice(0, 2);
    await until(
      'all partitions moved',
      () => all(left),
      (partitions) => partitions.join() === '0,1,2,3,4,5',
    );
    const values = () => new Set(members.flatMap(({ said }) => said.flatMap(({ value }) => value ?? [])));
    await until(
      'every message',
      () => values().size,
      (size) => size === 120,
    );
    await Promise.all(left.map((member) => member.end()));
  } finally {
    for (const member of members) if (!member.hasEnded) await member.kill();
  }
  const { groups } = await admin.describeGroups(['moving']);
  expect(groups[0]).toMatchObject({ state: 'Empty', members: [] });
});

test('wire ladder 19: what is aborted is invisible to who reads the committed; a second producer fences the first', async () => {
  await topic('transactions', 1);
  const options = { transactionalId: 'ladder-19', maxInFlightRequests: 1, idempotent: true };
  await producing(options, async (first) => {
    const send = async (value: string, commit: boolean) => {
      const transaction = await first.transaction();
      await transaction.send({ topic: 'transactions', messages: [{ value }] });
      await (commit ? transaction.commit() : transaction.abort());
    };
    await send('committed', true);
    await send('aborted', false);
    const open = await first.transaction();
    await open.send({ topic: 'transactions', messages: [{ value: 'fenced' }] });
    await producing(options, async (second) => {
      const transaction = await second.transaction();
      await transaction.send({ topic: 'transactions', messages: [{ value: 'by the second' }] });
      await transaction.commit();
      await expect(open.commit()).rejects.toMatchObject({ type: expect.stringMatching(/FENCED|EPOCH|MAPPING/) });
    });
  });
  expect(await read('transactions', 2)).toEqual(['committed', 'by the second']);
  expect(await read('transactions', 4, true)).toEqual(['committed', 'aborted', 'fenced', 'by the second']);
});

test('wire ladder 19: a transaction carries its offsets', async () => {
  await topic('carried', 1);
  const options = { transactionalId: 'carrier', maxInFlightRequests: 1, idempotent: true };
  const offsets = {
    consumerGroupId: 'carrying',
    topics: [{ topic: 'carried', partitions: [{ partition: 0, offset: '7' }] }],
  };
  const committed = async () =>
    (await admin.fetchOffsets({ groupId: 'carrying', topics: ['carried'] }))[0]!.partitions[0]!.offset;
  await producing(options, async (producer) => {
    const aborted = await producer.transaction();
    await aborted.sendOffsets(offsets);
    await aborted.abort();
    expect(await committed()).toBe('-1');
    // It takes "the last one is not over yet" for the end of sendOffsets, which Kafka's own client repeats.
    const ended = () => transactionState(cluster.ports, 'carrier');
    await until('the abort carried out', ended, (state) => state === 'CompleteAbort');
    const transaction = await producer.transaction();
    await transaction.sendOffsets(offsets);
    expect(await committed()).toBe('-1');
    await transaction.commit();
    await until('the offset committed', committed, (offset) => offset === '7');
  });
});

test('wire W-78, W-88, W-101, W-102: admin creates, grows, sets, deletes records and topics', async () => {
  await topic('managed', 2);
  await expect(topic('managed', 2)).resolves.toBe(false);
  await admin.createPartitions({ topicPartitions: [{ topic: 'managed', count: 3 }] });
  // A broker that has heard of a partition may not lead it yet; this admin asks again about any other error of that kind but this.
  const offsets = () =>
    admin.fetchTopicOffsets('managed').catch((error: unknown) => {
      if ((error as { type?: string }).type === 'NOT_LEADER_FOR_PARTITION') return [];
      throw error;
    });
  await until('three partitions', offsets, ({ length }) => length === 3);
  const resource = { type: 2, name: 'managed' };
  await admin.alterConfigs({
    validateOnly: false,
    resources: [{ ...resource, configEntries: [{ name: 'retention.ms', value: '123456' }] }],
  });
  const retention = async () =>
    (await admin.describeConfigs({ includeSynonyms: false, resources: [resource] })).resources[0]!.configEntries.find(
      ({ configName }) => configName === 'retention.ms',
    )!.configValue;
  await until('the setting', retention, (value) => value === '123456');
  await producing({}, (producer) =>
    producer.send({ topic: 'managed', messages: [0, 1, 2].map((index) => ({ partition: 0, value: `${index}` })) }),
  );
  await admin.deleteTopicRecords({ topic: 'managed', partitions: [{ partition: 0, offset: '2' }] });
  const low = async () => (await admin.fetchTopicOffsets('managed')).find(({ partition }) => partition === 0)!.low;
  await until('the low watermark', low, (offset) => offset === '2');
  expect((await admin.listGroups()).groups).toEqual(expect.any(Array));
  await admin.deleteTopics({ topics: ['managed'] });
  await until(
    'the topic gone',
    () => admin.listTopics(),
    (topics) => !topics.includes('managed'),
  );
});
