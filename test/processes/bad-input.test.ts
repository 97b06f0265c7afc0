// What people get wrong, and what the machine under them gets wrong: each time one sentence that says what to do, the exit
// code of its kind, no stack trace, and nothing lost or left behind.
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Level } from 'level';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AgentMethods } from '../../src/agent/agent-client.ts';
import { FORMAT, factKey } from '../../src/log/keys.ts';
import { RemoteService } from '../../src/rpc/remote-service.ts';
import { Highwater, type Ended } from './support/highwater.ts';

let highwater: Highwater;
const of = ['--cluster', 'bad'] as const;
const quick = ['--detach', '--timers', 'fast', '--brokers', '1', '--port-base', '0'] as const;

beforeAll(async () => {
  highwater = new Highwater();
  await highwater.up('bad', '--brokers', '1', '--topic', 'orders:1:1', '--config', 'auto.create.topics.enable=false');
});
afterAll(async () => {
  await highwater.ok('down', ...of);
  expect(await highwater.close()).toEqual([]);
});

/** One line on stderr, with a code and without a stack. */
function expectRefusal(ended: Ended, code: number, sentence: RegExp): void {
  expect(ended.stderr).toMatch(/^error\[HW\d{4}\] [^\n]+\n$/);
  expect(ended.stderr).toMatch(sentence);
  expect(ended.stdout).toBe('');
  expect(ended.code).toBe(code);
}

describe('words that mean nothing: exit 2, and what was probably meant', () => {
  test.each<[readonly string[], RegExp]>([
    [['topics', 'describ', 'orders'], /unknown verb "describ" for topics\. Did you mean: describe\?/],
    [['stauts'], /unknown verb "stauts"\. Did you mean: status\?/],
    [['topics'], /topics needs a verb: create, list, describe/],
    [['status', '--jsn'], /unknown option '--jsn'.*See: highwater status --help/],
    [['topics', 'describe', 'orders', '--cluster', '../x'], /"\.\.\/x" is no cluster name: 1 to 63 characters/],
    [['up', '--cluster', '../x', ...quick], /"\.\.\/x" is no cluster name/],
    [['down', '--cluster', 'A'], /"A" is no cluster name/],
    [['replicas', 'show', 'orders', ...of], /"orders" is no partition\. Write TOPIC-PARTITION, e\.g\. orders-0/],
    [['node', 'kill', 'leader(orders)', ...of], /leader\(orders\)/],
  ])('%j', async (args, sentence) => {
    expectRefusal(await highwater.run(args), 2, sentence);
  });
});

describe('up refuses a plan that cannot be, before anything is touched', () => {
  test.each<[readonly string[], RegExp]>([
    [['--topic', 'orders:x:3'], /partitions of --topic is a whole number from 1 to 10000, not "x"/],
    [['--topic', 'orders:1:2'], /RF of --topic is a whole number from 1 to 1, not "2"/],
    [['--topic', 'orders:1:1:1'], /--topic is NAME:PARTITIONS:RF, e\.g\. orders:3:3/],
    [['--topic', 'a b'], /--topic: topic name "a b" may contain only letters/],
    [['--config', 'min.insync.replica=1'], /--config: unknown setting "min\.insync\.replica"/],
    [['--config', 'min.insync.replicas=0'], /--config: min\.insync\.replicas is 0; it must be at least 1/],
    [['--config', 'min.insync.replicas'], /"min\.insync\.replicas" is no setting\. Write name=value/],
    [
      ['--config', 'broker.heartbeat.interval.ms=5s'],
      /heartbeat\.interval\.ms must be at most half of broker\.session/,
    ],
    [['--timers', 'slow'], /--timers is kafka or fast, not "slow"/],
    [['--brokers', '0'], /--brokers is a whole number from 1 to 99, not "0"/],
    [['--as-version', '5.0'], /--as-version is a Kafka release, one of .*2\.8.*, not "5\.0"\. Clients are offered/],
    [['--as-version', '2.8', '--transaction-version', '2'], /Kafka 2\.8 has no transaction\.version 2: leave out/],
    [['--transaction-version', '3'], /--transaction-version is 0, 1 or 2, not "3"/],
    [['--outside', '0.0.0.0'], /--outside is HOST:PORT, the address of broker 1/],
    [['--port-base', '65536'], /--port-base is a whole number from 0 to 65535, not "65536"/],
  ])('%j', async (flags, sentence) => {
    expectRefusal(await highwater.run(['up', '--cluster', 'plan', ...quick, ...flags]), 2, sentence);
    expect(existsSync(join(highwater.home, 'clusters/plan'))).toBe(false);
  });
});

describe('a state file that is damaged', () => {
  test('is named; down does not claim that nothing runs', async () => {
    const folder = join(highwater.home, 'clusters/torn');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'cluster.json'), '{"version":1');
    for (const verb of ['status', 'down'])
      expectRefusal(await highwater.run([verb, '--cluster', 'torn']), 4, /clusters\/torn\/cluster\.json is damaged/);
    rmSync(folder, { recursive: true });
  });
});

describe('what is taken: exit 5', () => {
  test('a port, by another program: it is named, with another to use', async () => {
    const other = createServer();
    const port = await new Promise<number>((resolve) =>
      other.listen(0, '127.0.0.1', () => resolve((other.address() as { port: number }).port)),
    );
    const up = ['up', '--cluster', 'port', ...quick, '--port-base', String(port)];
    expectRefusal(
      await highwater.run(up),
      5,
      new RegExp(
        `HW5002.* port ${port} for broker 1 is taken by another program\\. Use: highwater up --port-base \\d+`,
      ),
    );
    await new Promise((resolve) => other.close(resolve));
  });

  test('a port, by another cluster of this home, also while that one is down', async () => {
    const { kafkaPort } = highwater.state('bad').nodes.find(({ role }) => role === 'broker')!;
    const up = await highwater.run(['up', '--cluster', 'port', ...quick, '--port-base', String(kafkaPort)]);
    expectRefusal(up, 5, new RegExp(`port ${kafkaPort} for broker 1 belongs to another cluster of yours`));
  });

  test('a directory, by another cluster', async () => {
    const { dir } = highwater.state('bad');
    const up = await highwater.run(['up', '--cluster', 'dir', ...quick, '--dir', dir]);
    expectRefusal(up, 5, /HW5003.* holds cluster "bad", not "dir"\. Use --cluster bad, or another --dir/);
  });

  test('a directory, by anything else: nothing in it is touched', async () => {
    const dir = highwater.folder('full');
    writeFileSync(join(dir, 'thesis.txt'), 'mine');
    const up = await highwater.run(['up', '--cluster', 'dir', ...quick, '--dir', dir]);
    expectRefusal(up, 5, /is not empty and holds no Highwater cluster\. Give an empty or new one with --dir/);
    expect(readdirSync(dir)).toEqual(['thesis.txt']);
  });

  test('a directory, by the same cluster of another home that runs: that one goes on', async () => {
    const { dir, agent } = highwater.state('bad');
    const home = highwater.folder('second-home');
    const up = await highwater.run(['up', ...of, ...quick, '--dir', dir], { HIGHWATER_HOME: home });
    expectRefusal(up, 5, new RegExp(`is in use by a running cluster \\(agent pid ${agent.pid}, recorded in `));
    const { data } = await highwater.json<{ data: { state: string }[] }>('node', 'list', ...of);
    expect(data.map(({ state }) => state)).toEqual(['running', 'running']);
  });

  test('the name of a topic', async () => {
    expectRefusal(await highwater.run(['topics', 'create', 'orders', ...of]), 5, /topic "orders" exists/);
  });
});

describe('topics that cannot be: exit 2', () => {
  test.each<[readonly string[], RegExp]>([
    [
      ['topics', 'describe', 'ordres'],
      /topic "ordres" does not exist\. Topics: orders\. Create it: highwater topics create/,
    ],
    [['topics', 'delete', 'ordres'], /topic "ordres" does not exist/],
    [['replicas', 'show', 'ordres-0'], /topic "ordres" does not exist/],
    [['replicas', 'show', 'orders-7'], /orders has partitions 0 to 0, not 7/],
    [['topics', 'elect-leader', 'orders-7', '--preferred'], /orders has partitions 0 to 0, not 7/],
    [['topics', 'elect-leader', 'orders-0'], /needs exactly one of --to NODE, --preferred, --unclean/],
    [['topics', 'create', 'new', '--replication-factor', '5'], /replication factor 5 needs 5 brokers/],
    [['topics', 'create', 'new', '--partitions', '0'], /--partitions is a whole number from 1/],
    [['topics', 'create', 'new', '--config', 'min.insync=1'], /unknown topic setting "min\.insync"; known: /],
    [['topics', 'create', 'new', '--config', 'segment.bytes=1'], /segment\.bytes is 1; it must be between 14 and/],
    [['topics', 'create', 'a b'], /topic name "a b" may contain only letters/],
  ])('%j', async (args, sentence) => {
    expectRefusal(await highwater.run([...args, ...of]), 2, sentence);
  });

  test('none of them made a topic', async () => {
    expect(await highwater.ok('topics', 'list', ...of)).toBe('orders\n');
  });
});

describe('faults that cannot be: exit 2', () => {
  test.each<[readonly string[], RegExp]>([
    [['--at', 'log.apend.leader', '--do', 'kill'], /HW2103.*log\.apend\.leader.*log\.append\.leader/],
    [['--at', 'log.append.leader', '--do', 'drop'], /HW2101/],
    [['--at', 'log.append.leader', '--do', 'explode'], /HW2101.*explode/],
    [['--at', 'log.append.leader', '--do', 'kill', '--where', 'topic'], /--where "topic" is no condition/],
    [['--at', 'log.append.leader', '--do', 'kill', '--where', 'topc=a'], /topc/],
    [['--do', 'kill'], /--do kill needs --at POINT/],
    [['--at', 'log.append.leader', '--do', 'delay:5 sec'], /not a duration: "5 sec"\. Write 5s, 500ms or 2m/],
    [['--at', 'log.append.leader', '--do', 'kill', '--probability', 'often'], /probability lies between 0 and 1/],
    [['--do', 'switch:hw.bounds=off'], /no safeguard "hw\.bounds"\. Nearest: hw\.bound\. All: /],
    [['--do', 'cut', '--from', '1', '--to', '9'], /no node 9/],
  ])('%j', async (args, sentence) => {
    expectRefusal(await highwater.run(['fault', 'add', ...args, ...of]), 2, sentence);
  });
});

describe('a call without the secret', () => {
  test('is refused as UNAUTHENTICATED, with where the secret is, by agent and controller', async () => {
    const { agent, nodes } = highwater.state('bad');
    const controller = nodes.find(({ role }) => role === 'controller')!;
    for (const [service, method, port] of [
      ['Agent', 'ListNodes', agent.port],
      ['ControllerAdmin', 'DescribeCluster', controller.grpcPort],
    ] as const) {
      for (const [secret, sentence] of [
        ['', /needs the cluster's secret as metadata x-highwater-secret; it is in the state file of the cluster/],
        ['wrong', /is not this cluster's; take the one in its state file/],
      ] as const) {
        const remote = new RemoteService<Pick<AgentMethods, 'ListNodes'>>(service, { host: '127.0.0.1', port, secret });
        const call = remote.call(method as 'ListNodes', {}, 10_000);
        await expect(call).rejects.toMatchObject({ code: 'UNAUTHENTICATED', message: expect.stringMatching(sentence) });
        remote.close();
      }
    }
  });
});

describe('a store that is none of ours: the node says so, up returns 4, and nothing is left', () => {
  const cluster = ['--cluster', 'store'] as const;
  let store: string;
  let sound: string;

  beforeAll(async () => {
    await highwater.ok('up', ...cluster, ...quick);
    await highwater.ok('down', ...cluster);
    store = join(highwater.state('store').nodes.find(({ role }) => role === 'broker')!.dataDir, 'store');
    sound = join(highwater.folder('sound'), 'store');
    cpSync(store, sound, { recursive: true });
  });
  beforeEach(() => {
    rmSync(store, { recursive: true, force: true });
    cpSync(sound, store, { recursive: true });
  });

  async function expectNodeRefuses(sentence: RegExp): Promise<void> {
    const before = highwater.processes().length;
    expectRefusal(await highwater.run(['up', ...cluster, '--detach']), 4, sentence);
    expect(highwater.processes()).toHaveLength(before);
  }

  async function change(edit: (database: Level<Buffer, Buffer>) => Promise<void>): Promise<void> {
    const database = new Level<Buffer, Buffer>(store, { keyEncoding: 'buffer', valueEncoding: 'buffer' });
    await edit(database);
    await database.close();
  }

  test('of a newer format: refused, and unchanged', async () => {
    await change((database) => database.put(factKey('format'), Buffer.from(String(FORMAT + 1))));
    await expectNodeRefuses(
      new RegExp(`has format ${FORMAT + 1}, and this version of Highwater knows formats up to ${FORMAT}`),
    );
    await change((database) => database.put(factKey('format'), Buffer.from(String(FORMAT))));
    await highwater.ok('up', ...cluster, '--detach');
    await highwater.ok('down', ...cluster);
  });

  test('of another node', async () => {
    await change((database) => database.put(factKey('node'), Buffer.from('7')));
    await expectNodeRefuses(/node 7/);
  });

  test('of something else that uses LevelDB', async () => {
    rmSync(store, { recursive: true });
    await change((database) => database.put(Buffer.from('user:1'), Buffer.from('{}')));
    await expectNodeRefuses(/holds a database that is not this node's: Highwater did not make it/);
  });

  test('not a database', async () => {
    rmSync(store, { recursive: true });
    mkdirSync(store);
    writeFileSync(join(store, 'thesis.txt'), 'mine');
    await expectNodeRefuses(/is not a data directory of Highwater: it holds thesis\.txt\. .*nothing was changed/);
  });

  test.each([/^CURRENT$/, /^MANIFEST-/])('torn: %s', async (file) => {
    writeFileSync(
      join(
        store,
        readdirSync(store).find((name) => file.test(name))!,
      ),
      'torn',
    );
    await expectNodeRefuses(/the database in .* is damaged: .*Start the node with an empty directory/);
  });
});
