// The promise API of groups: polls that resolve, listeners that are awaited, errors that say what can be done about them.
import { expect, test } from 'vitest';
import { HighwaterClient } from '../../src/client/client.ts';
import { CommitError, GroupError } from '../../src/client/errors.ts';
import { formatPartition, type TopicPartition } from '../../src/base/units.ts';
import { aClient, aCluster, createTopic } from './support/cluster.ts';

const T0 = { topic: 't', partition: 0 };
const EARLIEST = { 'auto.offset.reset': 'earliest', 'enable.auto.commit': false };

function aWorld() {
  const made = aCluster();
  const { world } = made;
  createTopic(made, 't');
  const client = new HighwaterClient(made.client, () => undefined);
  /** Lets the world turn, and the promises of applications between its turns, until this one is over. */
  const over = async <Value>(promise: Promise<Value>, maxMs = 30_000): Promise<Value> => {
    let isOver = false;
    const end = (): void => void (isOver = true);
    promise.then(end, end);
    const deadline = world.now + maxMs;
    while (!isOver && world.now < deadline) {
      world.runFor(5);
      await new Promise(setImmediate);
    }
    return promise;
  };
  const another = (id: number) => new HighwaterClient(aClient(made.cluster, id), () => undefined);
  return { ...made, client, over, another };
}

const names = (partitions: readonly TopicPartition[]): string =>
  partitions.map(({ topic, partition }) => formatPartition(topic, partition)).join(' ');

test('subscribe, poll, commit, close; the next member begins behind', async () => {
  const { client, over } = aWorld();
  const producer = client.producer();
  await over(Promise.all(['a', 'b'].map((value) => producer.send({ topic: 't', value }))));
  const heard: string[] = [];
  const consumer = client.groupConsumer('g', { config: EARLIEST });
  consumer.subscribe(['t'], {
    onAssigned: async (partitions) => {
      await Promise.resolve();
      heard.push(`assigned ${names(partitions)}`);
    },
    onRevoked: (partitions) => void heard.push(`revoked ${names(partitions)}`),
  });
  const values: string[] = [];
  const records = consumer.records();
  while (values.length < 2) values.push((await over(records.next())).value!.value!.toString());
  expect(values).toEqual(['a', 'b']);
  expect(consumer.groupMetadata).toMatchObject({ groupId: 'g', generationId: 1, groupInstanceId: '' });
  expect(names(consumer.assignment)).toBe('t-0');
  await over(consumer.commit());
  await over(consumer.close());
  expect(heard).toEqual(['assigned t-0', 'revoked t-0']);
  await over(producer.send({ topic: 't', value: 'c' }));
  const next = client.groupConsumer('g', { config: EARLIEST });
  next.subscribe(['t']);
  const read: string[] = [];
  while (read.length === 0) {
    for (const { records } of await over(next.poll())) read.push(...records.map(({ value }) => value!.toString()));
  }
  expect(read).toEqual(['c']);
  expect(await over(next.committed([T0]))).toMatchObject([{ ...T0, offset: 2 }]);
  await over(next.close());
});

test('what a listener throws, a poll throws; the member stays in its group', async () => {
  const { client, over } = aWorld();
  const consumer = client.groupConsumer('g', { config: EARLIEST });
  consumer.subscribe(['t'], { onAssigned: () => Promise.reject(new Error('no disk')) });
  await expect(over(consumer.poll({ maxWaitMs: 5000 }))).rejects.toThrow('no disk');
  expect(await over(consumer.poll({ maxWaitMs: 200 }))).toEqual([]);
  expect(names(consumer.assignment)).toBe('t-0');
  await over(consumer.close());
});

test('a member that was replaced: polls and commits say so', async () => {
  const { client, over, another } = aWorld();
  const config = { ...EARLIEST, 'group.instance.id': 'i' };
  const older = client.groupConsumer('g', { config });
  older.subscribe(['t']);
  await over(older.poll({ maxWaitMs: 1000 }));
  const newer = another(1200).groupConsumer('g', { config });
  newer.subscribe(['t']);
  await over(newer.poll({ maxWaitMs: 1000 }));
  const refused = await over(older.commit([{ ...T0, offset: 1 }]).catch((error: unknown) => error));
  expect(refused).toBeInstanceOf(CommitError);
  expect(refused).toMatchObject({ code: 'FENCED_INSTANCE_ID', errorClass: 'fatal', definite: true });
  const ended = await over(older.poll().catch((error: unknown) => error));
  expect(ended).toBeInstanceOf(GroupError);
  expect(ended).toMatchObject({ code: 'FENCED_INSTANCE_ID', fatal: true });
  await over(older.close());
  await over(newer.close());
});

test('calls that do not fit are refused at once', () => {
  const { client } = aWorld();
  expect(() => client.groupConsumer('')).toThrow('group.id is empty');
  expect(() => client.groupConsumer('g', { config: { 'heartbeat.interval.ms': 5000 } })).toThrow('less than session');
  expect(() => client.groupConsumer('g', { config: { 'partition.assignment.strategy': 'best' } })).toThrow(
    'known: range',
  );
  const consumer = client.groupConsumer('g');
  expect(() => consumer.subscribe([])).toThrow('no topic');
  expect(() => consumer.seek(T0, 1)).toThrow('t-0 is not assigned');
});
