// Our client library against three broker processes: what an application types, and what it sees when a broker dies.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ClusterState } from '../../src/agent/home.ts';
import { layOut } from '../../src/agent/new-cluster.ts';
import { runAgent } from '../../src/agent/run-agent.ts';
import {
  ConsumerError,
  connect,
  HighwaterError,
  readAll,
  SendError,
  type HighwaterClient,
} from '../../src/client/index.ts';
import { untilBrokers } from '../clients/topics.ts';
import { buildPrograms, type Programs } from './child-program.ts';

const NODE = 'src/main/node.ts';
const GRACE_MS = 10_000;

let programs: Programs;
let home: string;
let state: ClusterState;
let running: Awaited<ReturnType<typeof runAgent>>;
let client: HighwaterClient;

const addressOf = (id: number): string => `127.0.0.1:${state.nodes.find((node) => node.id === id)!.grpcPort}`;
const optionsFor = (brokers: readonly number[]) => ({
  brokers: brokers.map(addressOf),
  controller: addressOf(100),
  ...{ secret: state.secret, profile: 'fast' as const },
});

beforeAll(async () => {
  programs = await buildPrograms(NODE);
  home = mkdtempSync(join(tmpdir(), 'highwater-client-'));
  state = await layOut({
    ...{ name: 'client', home, brokers: 3, dir: undefined, timers: 'fast', host: '127.0.0.1', portBase: 0 },
    config: { 'default.replication.factor': '3', 'min.insync.replicas': '2', 'auto.create.topics.enable': 'false' },
  });
  running = await runAgent(state, { home, program: programs.path(NODE) });
  await untilBrokers(state.nodes.find(({ id }) => id === 1)!.kafkaPort, 3);
  client = await connect(optionsFor([1]));
});
afterAll(async () => {
  await client?.close(100);
  await running?.close(GRACE_MS);
  rmSync(home, { recursive: true, force: true });
  programs.remove();
});

describe('our client against broker processes', () => {
  test('a topic is created, written, read as it comes and as a whole, and its end is known', async () => {
    await client.admin().createTopic('orders', { partitions: 2, configs: { 'min.insync.replicas': '2' } });
    const producer = client.producer();
    const sent = await Promise.all(
      ['a', 'b', 'c'].map((value) =>
        producer.send({ topic: 'orders', partition: 0, key: 'k', value, headers: { h: 'x' } }),
      ),
    );
    expect(sent.map(({ offset }) => offset)).toEqual([0, 1, 2]);

    const consumer = client.consumer({ config: { 'auto.offset.reset': 'earliest' } });
    consumer.assign([{ topic: 'orders', partition: 0 }]);
    const values: string[] = [];
    for await (const record of consumer.records()) {
      values.push(record.value!.toString());
      if (values.length === 3) break;
    }
    expect(values).toEqual(['a', 'b', 'c']);
    consumer.close();

    const all = await readAll(client, 'orders');
    expect(all.map(({ partition, offset }) => [partition, offset])).toEqual([[0, 0], [0, 1], [0, 2]]); // prettier-ignore
    expect(all[0]).toMatchObject({ key: Buffer.from('k'), headers: [{ key: 'h', value: Buffer.from('x') }] });
    expect(await client.admin().endOffset({ topic: 'orders', partition: 0 })).toBe(3);
    expect(await client.admin().endOffset({ topic: 'orders', partition: 1 }, 'read_committed')).toBe(0);
    await producer.close();
  });

  test('refusals throw with Kafka names and say whether something happened', async () => {
    const again = client.admin().createTopic('orders');
    await expect(again).rejects.toMatchObject({ name: 'HighwaterError', code: 'TOPIC_ALREADY_EXISTS', definite: true });
    await expect(client.admin().deleteTopic('nothing')).rejects.toMatchObject({ code: 'UNKNOWN_TOPIC_OR_PARTITION' });
    const large = client.producer().send({ topic: 'orders', value: 'x'.repeat(2_000_000) });
    await expect(large).rejects.toBeInstanceOf(SendError);
    await expect(large).rejects.toMatchObject({ code: 'MESSAGE_TOO_LARGE', definite: true });
    const lost = client.consumer({ config: { 'auto.offset.reset': 'none' } });
    lost.assign([{ topic: 'orders', partition: 0 }]);
    lost.seek({ topic: 'orders', partition: 0 }, 99);
    await expect(lost.poll()).rejects.toBeInstanceOf(ConsumerError);
    expect(() => lost.seek({ topic: 'other', partition: 0 }, 0)).toThrow(/other-0 is not assigned/);
    lost.close();
  });

  test('an aborted poll rejects at once with the reason, and the consumer goes on', async () => {
    const consumer = client.consumer({ config: { 'auto.offset.reset': 'latest' } });
    consumer.assign([{ topic: 'orders', partition: 0 }]);
    const controller = new AbortController();
    const polling = consumer.poll({ maxWaitMs: 60_000, signal: controller.signal });
    controller.abort(new HighwaterError({ code: 'REQUEST_TIMED_OUT', message: 'enough', definite: true }));
    await expect(polling).rejects.toThrow('enough');
    expect(await consumer.poll({ maxWaitMs: 10 })).toEqual([]);
    consumer.close();
  });

  test('another node leads on request; the replicas agree, and the producer follows', async () => {
    const admin = client.admin();
    await admin.createTopic('moved');
    const producer = client.producer();
    await producer.send({ topic: 'moved', value: 'a' });
    const [topic] = await admin.describeTopics(['moved']);
    const from = topic!.partitions[0]!.leader;
    const to = topic!.partitions[0]!.isr.find((id) => id !== from)!;
    const [elected] = await admin.electLeaders({ type: 'TO', topic: 'moved', partition: 0, to });
    expect(elected).toMatchObject({ error: 'NONE', leader: to });
    expect(await producer.send({ topic: 'moved', value: 'b' })).toMatchObject({ offset: 1 });
    const [replica] = await admin.describeReplicas(to, { topic: 'moved', fromOffset: 0, maxBatches: 10 });
    expect(replica).toMatchObject({ role: 'leader', logEndOffset: 2 });
    const cluster = await admin.describeCluster();
    expect(cluster.brokers.map(({ id }) => id).sort()).toEqual([1, 2, 3]);
  });

  test('kill -9 of the leader: what was acknowledged is there, what comes next is too', async () => {
    await client.admin().createTopic('failover');
    const producer = client.producer();
    const consumer = client.consumer({ config: { 'auto.offset.reset': 'earliest' } });
    consumer.assign([{ topic: 'failover', partition: 0 }]);
    for (const value of ['a', 'b']) await producer.send({ topic: 'failover', value });
    const [topic] = await client.admin().describeTopics(['failover']);
    const leader = topic!.partitions[0]!.leader;
    expect(await running.agent.killNode(leader, 'test')).toBe('');
    await producer.send({ topic: 'failover', value: 'c' });
    const values: string[] = [];
    for await (const { value } of consumer.records()) {
      values.push(value!.toString());
      if (values.at(-1) === 'c') break;
    }
    expect([...new Set(values)]).toEqual(['a', 'b', 'c']);
    consumer.close();
  });

  test('close ends what waits, within its time', async () => {
    const own = await connect(optionsFor([1, 2, 3]));
    const consumer = own.consumer();
    consumer.assign([{ topic: 'orders', partition: 0 }]);
    const polling = consumer.poll({ maxWaitMs: 60_000 });
    const sending = own.producer({ 'linger.ms': 1000 }).send({ topic: 'orders', value: 'last' });
    await own.close();
    expect(await polling).toEqual([]);
    expect(await sending).toMatchObject({ topic: 'orders' });
    await expect(own.producer().send({ topic: 'orders', value: 'late' })).rejects.toThrow('the client is closed');
  });
});
