// A cluster in four containers of a network of its own (`highwater/testcontainers`): clients on the host, and the deaths, freezes
// and cut networks of whole containers.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { HighwaterClient } from '../../src/client/index.ts';
import { HighwaterNetwork, type StartedHighwaterNetwork } from '../../src/testcontainers/index.ts';
import { Highwater } from '../processes/support/highwater.ts';
import { Load } from '../processes/support/load.ts';
import { until } from '../processes/support/until.ts';
import { IMAGE, missingEngine, skipped, succeeds } from './engine.ts';

const TOPIC = 'orders';
const NO_KCAT = !succeeds('kcat', ['-V']);

describe.skipIf(skipped(missingEngine()))('HighwaterNetwork', () => {
  let cluster: StartedHighwaterNetwork;
  let client: HighwaterClient;
  let load: Load;
  let cli: Highwater;

  beforeAll(async () => {
    cluster = await new HighwaterNetwork(IMAGE).withTopic(TOPIC, { partitions: 3 }).start();
    client = await cluster.client();
    load = new Load(client, TOPIC);
    cli = new Highwater();
    const attached = await cli.run(['attach', cluster.agent], { HIGHWATER_SECRET: cluster.secret });
    expect(attached.code, attached.stderr).toBe(0);
  });
  afterAll(async () => {
    await cli?.close();
    await load?.stop();
    await client?.close();
    await cluster?.stop();
  });

  const fenced = (id: number): Promise<boolean> =>
    until(`whether broker ${id} is fenced`, async () => {
      const { brokers } = await client.admin().describeCluster();
      return brokers.find((broker) => broker.id === id)?.fenced === true;
    });
  /** Records go on being acknowledged. */
  const goesOn = async (): Promise<void> => {
    const before = load.acknowledged.length;
    await until('more records are acknowledged', () => load.acknowledged.length > before + 50);
  };

  test.skipIf(NO_KCAT)('kcat on the host produces what our client consumes, and the other way round', async () => {
    const kcat = (...args: readonly string[]) =>
      spawnSync('kcat', ['-b', cluster.bootstrap, '-t', TOPIC, '-p', '0', '-q', ...args], {
        encoding: 'utf8',
        input: 'by kcat\n',
        timeout: 30_000,
      });
    expect(kcat('-P', '-X', 'acks=all').status).toBe(0);
    const { offset } = await client.producer({ acks: 'all' }).send({ topic: TOPIC, partition: 0, value: 'by ours' });
    expect(kcat('-C', '-o', String(offset), '-c', '1').stdout).toBe('by ours\n');

    const consumer = client.consumer({ config: { 'auto.offset.reset': 'earliest' } });
    consumer.assign([{ topic: TOPIC, partition: 0 }]);
    const seen: string[] = [];
    await until('our client has read it', async () => {
      for (const { records } of await consumer.poll()) seen.push(...records.map(({ value }) => String(value)));
      return seen.includes('by kcat');
    });
  });

  test('a container that is killed is a node that is killed; it comes back with its data, at its addresses', async () => {
    const container = await cluster.container(1);
    const port = container.container.getMappedPort(19_092);
    await container.kill();
    expect((await cluster.node.list()).find(({ id }) => id === 1)?.state).toBe('dead');
    await fenced(1);
    await goesOn();
    await container.start();
    await cluster.untilWhole();
    expect(cluster.brokers[0]).toMatch(new RegExp(`:${port}$`));
    expect(await cluster.elect(`${TOPIC}-0`, { to: 1 })).toBe(1);
    const { partition } = await client.producer({ acks: 'all' }).send({ topic: TOPIC, partition: 0, value: 'to 1' });
    expect(partition).toBe(0);
  });

  test('a container that is frozen is fenced; the others go on, and it catches up', async () => {
    const container = await cluster.container('leader(orders-0)');
    const [id] = await cluster.node.find('leader(orders-0)');
    await container.pause();
    await fenced(id!);
    await goesOn();
    await container.resume();
    await cluster.untilWhole();
  });

  test('a leader whose network is cut is fenced and replaced, and catches up when it is mended', async () => {
    const container = await cluster.container('leader(orders-0)');
    const [id] = await cluster.node.find('leader(orders-0)');
    await container.cut();
    await fenced(id!);
    const [next] = await cluster.node.find('leader(orders-0)');
    expect(next).not.toBe(id);
    await container.mend();
    await cluster.untilWhole();
    await goesOn();
  });

  test('all four killed at once under load come back, and nothing acknowledged is lost', async () => {
    await Promise.all(cluster.containers.map((container) => container.kill()));
    await Promise.all(cluster.containers.map((container) => container.start()));
    await cluster.untilWhole(60_000);
    await goesOn();
    await load.stop();
    expect(await missingFrom(client, load)).toEqual([]);
  });

  test.each(['ghost-read', 'coordinator-failover'])('%s, on these containers', async (scenario) => {
    const file = fileURLToPath(new URL(`../../scenarios/${scenario}.yaml`, import.meta.url));
    const { code, stdout, stderr } = await cli.run(['run', file, '--cluster', 'default']);
    expect(code, stdout + stderr).toBe(0);
    expect(stdout).toContain(`PASS         ${scenario}`);
  });
});

/** What was acknowledged and is not where it was acknowledged. */
async function missingFrom(client: HighwaterClient, { acknowledged }: Load) {
  const consumer = client.consumer({ config: { 'auto.offset.reset': 'earliest' } });
  const partitions = [0, 1, 2].map((partition) => ({ topic: TOPIC, partition }));
  const ends = await consumer.endOffsets(partitions);
  consumer.assign(partitions);
  const found = new Map<string, string>();
  while (partitions.some((at, index) => (consumer.position(at) ?? 0) < (ends[index]?.offset ?? 0)))
    for (const { records } of await consumer.poll())
      for (const { partition, offset, value } of records) found.set(`${partition}/${offset}`, String(value));
  return acknowledged.filter(({ value, partition, offset }) => found.get(`${partition}/${offset}`) !== value);
}
