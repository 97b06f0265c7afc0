// A cluster's life as its user types it: up, where it is recorded, what the other commands say about it, down. One cluster
// of three brokers for the whole file; a second one only where two are the point.
import { statSync } from 'node:fs';
import { connect as connectTo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePorts, portsOfOthers } from '../../src/agent/ports.ts';
import { RemoteService } from '../../src/rpc/remote-service.ts';
import type { NodeFaultsMethods } from '../../src/rpc/services/faults.ts';
import { METADATA, metadataBody } from '../kafka/bodies.ts';
import type { Struct } from '../kafka/generic-codec.ts';
import { RawClient } from '../kafka/raw-client.ts';
import { Highwater } from './support/highwater.ts';
import { processesWith } from './support/process-list.ts';
import { until, untilHolds } from './support/until.ts';

let highwater: Highwater;
let upDocument: string;

beforeAll(async () => {
  highwater = new Highwater();
  upDocument = await highwater.up('life', '--topic', 'orders:2:3', '--topic', 'single', '--json');
});
afterAll(async () => expect(await highwater.close()).toEqual([]));

interface NodeRow {
  readonly id: number;
  readonly role: string;
  readonly pid: number;
  readonly state: string;
  readonly kafkaPort: number;
}
interface Partition {
  readonly partition: number;
  readonly leader: number;
  readonly leaderEpoch: number;
  readonly replicas: readonly number[];
  readonly isr: readonly number[];
}
interface Rows<Row> {
  readonly data: readonly Row[];
}

const of = ['--cluster', 'life'] as const;
const nodes = async (): Promise<readonly NodeRow[]> =>
  (await highwater.json<Rows<NodeRow>>('node', 'list', ...of)).data;
const partitions = async (topic: string): Promise<readonly Partition[]> =>
  (await highwater.json<Rows<Partition>>('topics', 'describe', topic, ...of)).data;
const nodeOf = async (id: number): Promise<NodeRow> => (await nodes()).find((node) => node.id === id)!;

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectTo({ port, host: '127.0.0.1' });
    const settle = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => settle(true)).once('error', () => settle(false));
  });
}

/** What the listener of a broker says of all of them. */
async function brokersAt(port: number): Promise<{ host: unknown; port: unknown }[]> {
  const client = new RawClient(port);
  const { body } = await client.ask(METADATA, 9, metadataBody([]));
  client.close();
  return (body['brokers'] as Struct[]).map((broker) => ({ host: broker['host'], port: broker['port'] }));
}

describe('up --detach', () => {
  test('prints one JSON document with the bootstrap addresses, on ports in a row that answer', async () => {
    const lines = upDocument.split('\n').filter((line) => line !== '');
    expect(lines).toHaveLength(1);
    const { bootstrap } = JSON.parse(lines[0]!) as { bootstrap: string };
    const ports = bootstrap.split(',').map((address) => Number(/^127\.0\.0\.1:(\d+)$/.exec(address)![1]));
    expect(ports).toEqual([ports[0]!, ports[0]! + 1, ports[0]! + 2]);
    for (const port of ports) expect(await answers(port)).toBe(true);
  });

  test('returns when every topic asked for has its full ISR, also one named without numbers', async () => {
    const orders = await partitions('orders');
    expect(orders.map(({ partition }) => partition)).toEqual([0, 1]);
    for (const { leader, leaderEpoch, replicas, isr } of orders) {
      expect([...isr].sort()).toEqual([1, 2, 3]);
      expect(replicas).toHaveLength(3);
      expect(replicas).toContain(leader);
      expect(leaderEpoch).toBe(0);
    }
    expect(await partitions('single')).toMatchObject([{ partition: 0, isr: { length: 3 } }]);
  });

  test('records the cluster in the home, for its owner only, with every process by pid and start time', () => {
    const { agent, nodes: recorded, dir } = highwater.state('life');
    expect(dir.startsWith(highwater.home)).toBe(true);
    expect(statSync(join(highwater.home, 'clusters/life/cluster.json')).mode & 0o777).toBe(0o600);
    expect(new Set([agent.pid, ...recorded.map((node) => node.pid)]).size).toBe(5);
  });

  test('every process of the cluster, the agent included, has the data directory on its command line', () => {
    const { agent, nodes: recorded, dir } = highwater.state('life');
    const pids = processesWith(dir).map(({ pid }) => pid);
    expect(pids.sort()).toEqual([agent.pid, ...recorded.map((node) => node.pid)].sort());
  });

  test('is refused while the cluster runs, with what to type', async () => {
    const again = await highwater.run(['up', '--detach', ...of]);
    expect(again.code).toBe(5);
    expect(again.stderr).toMatch(/^error\[HW5001\] cluster life is already running .* highwater down --cluster life/);
    expect((await nodes()).every((node) => node.state === 'running')).toBe(true);
  });
});

describe('every other command needs only the name', () => {
  test('by flag or by variable, the same from any directory', async () => {
    const byVariable = await highwater.run(['node', 'list', '--json'], { HIGHWATER_CLUSTER: 'life' });
    expect(byVariable.code).toBe(0);
    expect((JSON.parse(byVariable.stdout) as Rows<NodeRow>).data).toEqual(await nodes());
  });

  test('an empty variable means the default cluster, of which there is none', async () => {
    const { code, stderr } = await highwater.run(['status']);
    expect(code).toBe(4);
    expect(stderr).toContain('no cluster "default" is recorded');
    expect(stderr).toContain('Recorded: life');
  });

  test('node list: id, role, pid, state', async () => {
    const rows = await nodes();
    expect(rows.map(({ id, role, state }) => ({ id, role, state }))).toEqual([
      { id: 1, role: 'broker', state: 'running' },
      { id: 2, role: 'broker', state: 'running' },
      { id: 3, role: 'broker', state: 'running' },
      { id: 100, role: 'controller', state: 'running' },
    ]);
    expect(rows.map(({ pid }) => pid)).toEqual(
      rows.map(({ id }) => highwater.state('life').nodes.find((node) => node.id === id)!.pid),
    );
  });

  test('replicas show: node, role, logStart, hw, leo, inIsr', async () => {
    const [{ leader }] = (await partitions('orders')) as [Partition];
    const { data } = await highwater.json<Rows<object>>('replicas', 'show', 'orders-0', ...of);
    const row = (node: number) => ({
      ...{ node, role: node === leader ? 'leader' : 'follower' },
      ...{ logStart: 0, hw: 0, leo: 0, inIsr: true },
    });
    expect(data).toHaveLength(3);
    expect(data).toEqual(expect.arrayContaining([1, 2, 3].map((node) => expect.objectContaining(row(node)))));
  });

  test('status names members and what is wrong; tables and JSON tell the same', async () => {
    const table = await highwater.ok('status', ...of);
    expect(table).toMatch(/^NODE +ROLE +PID +PROCESS +MEMBER +KAFKA\n/);
    const { data } = await highwater.json<{ data: object }>('status', ...of);
    expect(data).toMatchObject({ cluster: 'life', topics: 2, partitions: 3, offline: [], underReplicated: [] });
  });

  test('topics describe without a name is one document too', async () => {
    const { data } = await highwater.json<Rows<Partition & { topic: string }>>('topics', 'describe', ...of);
    expect(data.map(({ topic, partition }) => `${topic}-${partition}`)).toEqual(['orders-0', 'orders-1', 'single-0']);
  });
});

describe('nodes', () => {
  test('a selector names a node: the leader is killed, another is elected, and the node comes back on its ports', async () => {
    const [before] = (await partitions('orders')) as [Partition];
    const { kafkaPort } = await nodeOf(before.leader);
    await highwater.ok('node', 'kill', 'leader(orders-0)', ...of);
    expect(await nodeOf(before.leader)).toMatchObject({ pid: 0, state: 'killed' });
    expect(await answers(kafkaPort)).toBe(false);
    const after = await until('another leader', async () => {
      const [now] = await partitions('orders');
      return now!.leader !== before.leader && now!.leader > 0 ? now! : undefined;
    });
    expect(after.leaderEpoch).toBeGreaterThan(before.leaderEpoch);
    await highwater.ok('node', 'start', String(before.leader), ...of);
    await untilHolds(async () => expect([...(await partitions('orders'))[0]!.isr].sort()).toEqual([1, 2, 3]));
    expect(await nodeOf(before.leader)).toMatchObject({ kafkaPort, state: 'running' });
    expect(await answers(kafkaPort)).toBe(true);
  });

  test('a clean stop moves leaders away first and exits with 0', async () => {
    const [{ leader }] = (await partitions('orders')) as [Partition];
    await highwater.ok('node', 'stop', String(leader), ...of);
    expect(await nodeOf(leader)).toMatchObject({ state: 'stopped', exit: 'code 0' });
    expect((await partitions('orders'))[0]!.leader).not.toBe(leader);
    await highwater.ok('node', 'start', String(leader), ...of);
  });

  test('the controller can be named by its role; killed, it is down for commands, which say so with exit 4', async () => {
    await highwater.ok('node', 'kill', 'controller', ...of);
    const { code, stderr } = await highwater.run(['topics', 'list', ...of]);
    expect(code).toBe(4);
    expect(stderr).toMatch(
      /^error\[HW4001\] the controller is not running or cannot be reached\. See: highwater node list/,
    );
    expect((await nodes()).filter(({ state }) => state === 'running')).toHaveLength(3);
    await highwater.ok('node', 'start', 'controller', ...of);
    await untilHolds(async () => expect((await highwater.run(['topics', 'list', ...of])).code).toBe(0));
  });

  test('pause and resume are seen', async () => {
    await highwater.ok('node', 'pause', '2', ...of);
    expect(await nodeOf(2)).toMatchObject({ state: 'paused' });
    await highwater.ok('node', 'resume', '2', ...of);
    expect(await nodeOf(2)).toMatchObject({ state: 'running' });
  });

  test('what is done to a node that is not there is refused with the nodes there are', async () => {
    const { code, stderr } = await highwater.run(['node', 'kill', '7', ...of]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error\[HW2301\] no node 7/);
    const running = await highwater.run(['node', 'start', '1', ...of]);
    expect(running.code).toBe(1);
    expect(running.stderr).toMatch(/^error\[HW2301\] node 1 is already running \(pid \d+\)/);
  });
});

describe('faults reach every node, also one that was frozen meanwhile', () => {
  test('armed while a node is paused: it has the fault when it goes on, and loses it when healed', async () => {
    const { secret, nodes: recorded } = highwater.state('life');
    const port = recorded.find(({ id }) => id === 3)!.grpcPort;
    const node3 = new RemoteService<NodeFaultsMethods>('NodeFaults', { host: '127.0.0.1', port, secret });
    const armed = async (): Promise<unknown> =>
      (await node3.call('ListFaults', {}, 10_000)).faults.map(({ fault }) => fault?.id);
    await highwater.ok('node', 'pause', '3', ...of);
    await highwater.ok('fault', 'add', '--id', 'f', '--at', 'log.append.leader', '--do', 'kill', ...of);
    await highwater.ok('node', 'resume', '3', ...of);
    expect(await armed()).toEqual(['f']);
    await highwater.ok('node', 'pause', '3', ...of);
    await highwater.ok('fault', 'heal', ...of);
    expect(await nodeOf(3)).toMatchObject({ state: 'running' });
    expect(await armed()).toEqual([]);
    node3.close();
  });
});

describe('down', () => {
  test('returns 0 when no process is left; also if there was none, or never was', async () => {
    await highwater.ok('down', ...of);
    expect(processesWith(highwater.state('life').dir)).toEqual([]);
    await highwater.ok('down', ...of);
    await highwater.ok('down', '--cluster', 'never');
  });

  test('up again finds directory, brokers, ports, timers and topics, and takes no port of another cluster', async () => {
    const before = highwater.state('life');
    const { bootstrap } = JSON.parse(upDocument) as { bootstrap: string };
    const again = await highwater.json<{ bootstrap: string; data: object }>('up', '--detach', ...of);
    expect(again.bootstrap).toBe(bootstrap);
    expect(again.data).toMatchObject({ dir: before.dir, brokers: 3, timers: 'fast' });
    expect((await partitions('orders')).map(({ isr }) => isr.length)).toEqual([3, 3]);

    const dir = highwater.folder('other');
    const [port] = await freePorts({ host: '127.0.0.1', count: 1, consecutive: true, taken: new Set() });
    const outside = ['--outside', 'me.example:2000', '--outside-bind', `127.0.0.1:${port}`];
    await highwater.up('other', '--brokers', '1', '--dir', dir, ...outside);
    const other = highwater.state('other');
    expect(other.dir).toBe(dir);
    // Wire W-36: each listener tells its own address.
    const inside = other.nodes.find(({ role }) => role === 'broker')!.kafkaPort;
    expect(await brokersAt(inside)).toEqual([{ host: '127.0.0.1', port: inside }]);
    expect(await brokersAt(port!)).toEqual([{ host: 'me.example', port: 2000 }]);
    const mine = new Set([other.agent.port, ...other.nodes.flatMap((node) => [node.grpcPort, node.kafkaPort])]);
    mine.delete(0);
    for (const port of portsOfOthers(highwater.home, 'other')) expect(mine.has(port)).toBe(false);
    await highwater.ok('down', '--cluster', 'other');
    await highwater.ok('down', ...of);
    await highwater.untilNothingRuns();
  });
});
