// The compose cluster as people use it: commands on the host, clients on both sides, faults, and the death of containers as
// just another kill -9. Skipped, with a line that says why, where there is no engine or no image.
import { Kafka, logLevel } from 'kafkajs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectTo } from '../processes/support/client.ts';
import { Highwater } from '../processes/support/highwater.ts';
import { Load } from '../processes/support/load.ts';
import { until } from '../processes/support/until.ts';
import { AGENT, Compose, missing, SECRET_FILE } from './compose.ts';
import { skipped } from './engine.ts';

const BROKERS = ['broker-1', 'broker-2', 'broker-3'] as const;
const ALL = ['controller', ...BROKERS] as const;
const TOPIC = 'orders';

interface Node {
  readonly id: number;
  readonly state: string;
  readonly membership: string;
}

describe.skipIf(skipped(missing()))('the compose cluster', () => {
  const compose = new Compose();
  let cli: Highwater;

  const nodes = async (): Promise<readonly Node[]> =>
    (await cli.json<{ data: { nodes: Node[] } }>('status')).data.nodes;
  const whole = () =>
    until('all brokers are members and every partition has its full ISR', async () => {
      const { data } = await cli.json<{ data: { nodes: Node[]; underReplicated: string[]; offline: string[] } }>(
        'status',
      );
      const active = data.nodes.filter(({ membership }) => membership === 'active').length;
      return active === BROKERS.length && data.underReplicated.length === 0 && data.offline.length === 0;
    });

  beforeAll(async () => {
    cli = new Highwater();
    await compose.run(['up', '--detach', '--no-build']);
    await cli.ok('attach', AGENT, '--secret-file', SECRET_FILE);
    await cli.ok('topics', 'create', TOPIC, '--partitions', '3', '--replication-factor', '3');
  });
  afterAll(async () => {
    await compose.end();
    await cli.close();
  });

  test('every container is healthy, and its first process is the agent, not root', async () => {
    for (const service of ALL) {
      await until(
        `${service} is healthy`,
        async () => (await compose.inspect(service, '{{.State.Health.Status}}')) === 'healthy',
      );
      expect(await compose.inspect(service, '{{.Config.User}}')).toBe('1000:1000');
    }
    const first = await compose.run(['exec', '-T', 'broker-1', 'cat', '/proc/1/cmdline']);
    expect(first.replaceAll('\0', ' ')).toContain('dist/container/main.js');
  });

  test('what a command in a container leaves behind is reaped', async () => {
    const states = 'cat /proc/[0-9]*/stat | cut -d" " -f2,3';
    await compose.run(['exec', '-T', 'broker-1', 'bash', '-c', '(sleep 0.1; true) & exit 0']);
    await until('the orphan is gone', async () => {
      const processes = await compose.run(['exec', '-T', 'broker-1', 'bash', '-c', states]);
      return !/sleep|\) Z/.test(processes);
    });
  });

  test('clients on the host and in the network are told addresses that they can reach', async () => {
    const bootstrap = cli
      .state('default')
      .nodes.flatMap(({ kafkaPort }) => (kafkaPort > 0 ? [`127.0.0.1:${kafkaPort}`] : []));
    const kafka = new Kafka({ brokers: bootstrap.slice(0, 1), logLevel: logLevel.NOTHING });
    const admin = kafka.admin();
    await admin.connect();
    const { brokers } = await admin.describeCluster();
    await admin.disconnect();
    expect(brokers.map(({ host, port }) => `${host}:${port}`).sort()).toEqual(bootstrap);

    const client = await connectTo(cli.state('default'));
    const { offset, partition } = await client.producer({ acks: 'all' }).send({ topic: TOPIC, value: 'from the host' });
    await client.close();
    const at = ['--partition', String(partition), '--offset', String(offset), '--max-messages', '1'];
    expect(await compose.inside('broker-3', 'consume', TOPIC, ...at)).toBe('from the host\n');
    expect(await compose.inside('broker-2', 'status')).toContain('broker-1:9092');
  });

  test('faults reach every container, and a fault at one node strikes another', async () => {
    const at = ['--at', 'log.append.leader', '--where', `topic=${TOPIC}`, '--nth', '1'];
    await cli.ok('fault', 'add', ...at, '--do', 'kill', '--target', 'controller', '--id', 'k');
    await cli.ok('fault', 'add', '--do', 'cut', '--from', '1', '--to', '2');
    await cli.ok('fault', 'add', '--do', 'switch:hw.bound=off');
    await cli.ok('node', 'pause', '3');
    const client = await connectTo(cli.state('default'));
    const sent = client.producer({ acks: '1' }).send({ topic: TOPIC, value: 'x', partition: 0 });
    await until('the controller is killed', async () =>
      (await nodes()).some(({ id, state }) => id === 100 && state === 'killed'),
    );
    await cli.ok('fault', 'heal');
    await cli.ok('node', 'start', '100');
    await sent;
    await client.close();
    expect((await nodes()).map(({ state }) => state)).toEqual(['running', 'running', 'running', 'running']);
    await whole();
  });

  test('a container that is killed is a node that is killed: it misses changes and knows them when it is back', async () => {
    await cli.ok('fault', 'add', '--at', 'rpc.Fetch.response', '--where', 'topic=none', '--do', 'drop', '--id', 'old');
    await compose.engine('kill', 'broker-2');
    expect((await nodes()).find(({ id }) => id === 2)?.state).toBe('dead');
    expect((await cli.run(['node', 'start', '2'])).stderr).toContain('docker compose start broker-2');
    await cli.ok('fault', 'rm', 'old');
    await cli.ok('fault', 'add', '--at', 'rpc.Fetch.response', '--where', 'topic=none', '--do', 'drop', '--id', 'new');
    await compose.engine('start', 'broker-2');
    await whole();
    const file = '/var/lib/highwater/data/broker-2/start.json';
    const start = JSON.parse(await compose.run(['exec', '-T', 'broker-2', 'cat', file])) as {
      faults: { id: string }[];
    };
    expect(start.faults.map(({ id }) => id)).toEqual(['new']);
    await cli.ok('fault', 'heal');
  });

  test('all four killed at once under load come back, and nothing acknowledged is lost', async () => {
    const client = await connectTo(cli.state('default'));
    const load = new Load(client, TOPIC);
    await until('records are acknowledged', () => load.acknowledged.length > 500);
    await compose.engine('kill', ...ALL);
    const before = load.acknowledged.length;
    await compose.engine('start', ...ALL);
    await whole();
    await until('records are acknowledged again', () => load.acknowledged.length > before);
    await load.stop();

    const consumer = client.consumer({ config: { 'auto.offset.reset': 'earliest' } });
    const partitions = [0, 1, 2].map((partition) => ({ topic: TOPIC, partition }));
    const ends = await consumer.endOffsets(partitions);
    consumer.assign(partitions);
    const found = new Map<string, string>();
    while (partitions.some((at, index) => (consumer.position(at) ?? 0) < (ends[index]?.offset ?? 0)))
      for (const { records } of await consumer.poll())
        for (const { partition, offset, value } of records) found.set(`${partition}/${offset}`, String(value));
    const lost = load.acknowledged.filter(
      ({ value, partition, offset }) => found.get(`${partition}/${offset}`) !== value,
    );
    expect(lost).toEqual([]);
    await client.close();
  });

  test('`docker stop` ends in order, and nothing starts again on its own', async () => {
    await compose.engine('stop', 'broker-1');
    expect(await compose.inspect('broker-1', '{{.State.ExitCode}} {{.HostConfig.RestartPolicy.Name}}')).toBe('0 no');
    await until('broker 1 is fenced', async () => (await nodes()).find(({ id }) => id === 1)?.membership === 'fenced');
    await compose.engine('start', 'broker-1');
    await whole();
    await cli.ok('down');
    for (const service of ALL)
      expect(await compose.inspect(service, '{{.State.Status}} {{.State.ExitCode}}')).toBe('exited 0');
  });
});
