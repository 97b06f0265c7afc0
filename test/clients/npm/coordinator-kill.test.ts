// kafkajs while the coordinator of its group is killed: with a stable group, and between the answers to JoinGroup and
// SyncGroup (wire section 14, steps 15, 16).
import { Kafka, logLevel, type Consumer } from 'kafkajs';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { equals, faultSpec } from '../../../src/fault/spec.ts';
import { autoCreate } from '../topics.ts';
import { coordinatorOf, describeGroup } from '../support/groups.ts';
import { serve, type Served } from '../support/served.ts';
import { STATE_MS, until } from '../support/until.ts';

const consumers: Consumer[] = [];
let cluster: Served;
let kafka: Kafka;

beforeAll(async () => {
  cluster = await serve({
    'offsets.topic.num.partitions': '5',
    'num.partitions': '2',
    'default.replication.factor': '3',
  });
  const retry = { initialRetryTime: 50, maxRetryTime: 200, retries: 4 };
  kafka = new Kafka({ clientId: 'js', brokers: cluster.bootstrap.split(','), logLevel: logLevel.NOTHING, retry });
});
afterEach(async () => {
  await Promise.all(consumers.splice(0).map((consumer) => consumer.disconnect()));
});
afterAll(() => cluster.close());

/** Messages of a topic that a started member has been given. It notices a dead coordinator between two fetches only. */
async function member(groupId: string, topic: string): Promise<Set<string>> {
  const consumer = kafka.consumer({ groupId, sessionTimeout: 6000, heartbeatInterval: 300, maxWaitTimeInMs: 200 });
  consumers.push(consumer);
  const seen = new Set<string>();
  await consumer.connect();
  await consumer.subscribe({ topics: [topic], fromBeginning: true });
  await consumer.run({
    autoCommitThreshold: 1,
    eachMessage: ({ message }) => {
      seen.add(String(message.value));
      return Promise.resolve();
    },
  });
  return seen;
}

async function produce(topic: string, values: readonly string[]): Promise<void> {
  const producer = kafka.producer();
  await producer.connect();
  await producer.send({ topic, acks: -1, messages: values.map((value, i) => ({ value, partition: i % 2 })) });
  await producer.disconnect();
}

const stable = (group: string, count: number) =>
  until(
    `${count} members of ${group}, Stable`,
    () => describeGroup(cluster.ports, group),
    (described) => described?.groupState === 'Stable' && described.members.length === count,
    2 * STATE_MS,
  );
const values = (from: number, count: number) => Array.from({ length: count }, (_, i) => `v${from + i}`);
const untilAll = (seen: readonly Set<string>[], count: number) =>
  until(
    `${count} messages`,
    () => new Set(seen.flatMap((each) => [...each])).size,
    (size) => size === count,
    2 * STATE_MS,
  );

test('wire ladder 15: killed with a stable group: its members go on, and no message is skipped', async () => {
  await autoCreate(cluster.ports[0]!, 'fifteen');
  const seen = [await member('js-15', 'fifteen'), await member('js-15', 'fifteen')];
  await stable('js-15', 2);
  await produce('fifteen', values(0, 20));
  await untilAll(seen, 20);
  const { nodeId } = (await coordinatorOf(cluster.ports, 'js-15'))!;
  await cluster.kill(nodeId);
  await produce('fifteen', values(20, 20));
  await untilAll(seen, 40);
  await stable('js-15', 2);
  await cluster.restart(nodeId);
});

test('wire ladder 16: killed between JoinGroup and SyncGroup: the members join again, and end Stable', async () => {
  await autoCreate(cluster.ports[0]!, 'sixteen');
  await produce('sixteen', values(0, 20));
  const first = await until(
    'a coordinator',
    () => coordinatorOf(cluster.ports, 'js-16'),
    (found) => found !== undefined,
  );
  const fault = faultSpec({
    ...{
      id: 'sixteen',
      point: 'rpc.SyncGroup.request',
      where: [equals('group', 'js-16'), equals('node', first!.nodeId)],
      nth: 1,
      times: 1,
    },
    action: 'kill',
  });
  expect(await cluster.arm(fault)).toBe('');
  const seen = await Promise.all([member('js-16', 'sixteen'), member('js-16', 'sixteen')]);
  await until(
    'another coordinator',
    () => coordinatorOf(cluster.ports, 'js-16'),
    (found) => found !== undefined && found.nodeId !== first!.nodeId,
  );
  await cluster.disarmAll();
  await stable('js-16', 2);
  await untilAll(seen, 20);
  await cluster.restart(first!.nodeId);
});
