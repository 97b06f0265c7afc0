// Where an agent in a container stands: what the environment says, and the sentence if it says too little.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPlace } from '../../src/agent/container-layout.ts';
import { OutsideAddresses } from '../../src/agent/outside-addresses.ts';
import { startFileFor } from '../../src/agent/new-start-file.ts';

const ENV = {
  HIGHWATER_NODE: 'broker-2',
  HIGHWATER_NODES: 'controller,broker-1,broker-2',
  HIGHWATER_OUTSIDE: 'demo.example',
  HIGHWATER_SECRET: 'a secret of 16 characters',
};

const refusal = (change: Readonly<Record<string, string>>): (() => unknown) => {
  return () => readPlace({ ...ENV, ...change }, '/volume');
};

test('inside every container has the same ports at its own name; outside they follow one another', () => {
  const { state, own } = readPlace(ENV, '/volume');
  expect(own).toEqual([2]);
  expect(state.nodes.map(({ host, grpcPort, kafkaPort, agentPort }) => [host, grpcPort, kafkaPort, agentPort])).toEqual(
    [
      ['controller', 9191, 0, 9190],
      ['broker-1', 9191, 9092, 9190],
      ['broker-2', 9191, 9092, 9190],
    ],
  );
  expect(state.nodes.map(({ outside }) => outside)).toEqual([
    { host: 'demo.example', kafkaPort: 0, grpcPort: 19191, agentPort: 19291 },
    { host: 'demo.example', kafkaPort: 19092, grpcPort: 19192, agentPort: 19292 },
    { host: 'demo.example', kafkaPort: 19093, grpcPort: 19193, agentPort: 19293 },
  ]);
});

test('outside, nodes may be published by a host each, as on many machines', () => {
  const hosts = 'controller=a.example, broker-1=a.example, broker-2=b.example';
  const { state } = readPlace({ ...ENV, HIGHWATER_OUTSIDE: hosts }, '/volume');
  expect(state.nodes.map(({ outside }) => `${outside?.host}:${outside?.grpcPort}`)).toEqual([
    'a.example:19191',
    'a.example:19192',
    'b.example:19193',
  ]);
});

test('a node is started with the names that others know, bound to every address of its container', () => {
  const { state } = readPlace({ ...ENV, HIGHWATER_OUTSIDE_PORT_BASE: '29092' }, '/volume');
  const start = startFileFor(state, state.nodes[2]!, []);
  expect(start).toMatchObject({
    ...{ host: '0.0.0.0', advertisedHost: 'broker-2', grpcPort: 9191, kafkaPort: 9092 },
    outside: { host: 'demo.example', grpcPort: 29193, kafkaPort: 29093 },
    controller: { id: 100, host: 'controller', port: 9191 },
  });
});

test('all nodes of one container share its address, each on ports of its own, and are found on its loopback', () => {
  const { state, own, waits } = readPlace({ ...ENV, HIGHWATER_NODE: 'all' }, '/volume');
  expect([own, waits]).toEqual([[100, 1, 2], false]);
  expect(state.nodes.map(({ host, grpcPort, kafkaPort, agentPort }) => [host, grpcPort, kafkaPort, agentPort])).toEqual(
    [
      ['127.0.0.1', 9191, 0, 9190],
      ['127.0.0.1', 9192, 9092, 9190],
      ['127.0.0.1', 9193, 9093, 9190],
    ],
  );
});

test('addresses outside that are told later are remembered; the ports they stand for are known', () => {
  const home = mkdtempSync(join(tmpdir(), 'highwater-outside-'));
  try {
    mkdirSync(join(home, 'data'));
    const place = readPlace({ ...ENV, HIGHWATER_OUTSIDE: 'later' }, home);
    const outside = new OutsideAddresses(place);
    expect([place.waits, startFileFor(outside.remembered(), place.state.nodes[2]!, []).outside]).toEqual([
      true,
      undefined,
    ]);
    const told = place.state.nodes.map((node) => ({
      ...node,
      outside: { host: 'host.example', agentPort: 41, grpcPort: 42, kafkaPort: 43 },
    }));
    outside.told(told);
    const again = new OutsideAddresses(place).remembered();
    expect(startFileFor(again, again.nodes[2]!, []).outside).toEqual({
      ...{ host: 'host.example', grpcPort: 42, kafkaPort: 43 },
      listens: { grpcPort: 19193, kafkaPort: 19093 },
    });
  } finally {
    rmSync(home, { recursive: true });
  }
});

test('without an outside there is one listener', () => {
  const { state } = readPlace({ ...ENV, HIGHWATER_OUTSIDE: '' }, '/volume');
  expect(startFileFor(state, state.nodes[1]!, []).outside).toBeUndefined();
});

test('nodes may be found at other hosts than their names, and carry settings by their Kafka names', () => {
  const change = {
    HIGHWATER_NODES: 'controller=10.0.0.1 broker-2=10.0.0.2',
    HIGHWATER_CONFIG: 'num.partitions=1, log.roll.ms=2',
  };
  const { state } = readPlace({ ...ENV, ...change }, '/volume');
  expect(state.nodes.map(({ host }) => host)).toEqual(['10.0.0.1', '10.0.0.2']);
  expect(state.config).toEqual({ 'num.partitions': '1', 'log.roll.ms': '2' });
});

test('the secret may stand in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'highwater-secret-'));
  try {
    writeFileSync(join(folder, 'secret'), 'from a file, long enough\n');
    const change = { HIGHWATER_SECRET: '', HIGHWATER_SECRET_FILE: join(folder, 'secret') };
    expect(readPlace({ ...ENV, ...change }, '/volume').state.secret).toBe('from a file, long enough');
    expect(refusal({ HIGHWATER_SECRET: '', HIGHWATER_SECRET_FILE: join(folder, 'none') })).toThrow(/cannot be read/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test.each([
  [{ HIGHWATER_NODE: 'broker-7' }, /one of controller, broker-1, broker-2, or all, not "broker-7"/],
  [{ HIGHWATER_NODES: '' }, /HIGHWATER_NODES lists the nodes/],
  [{ HIGHWATER_NODES: 'controller,worker-1' }, /"worker-1" is neither/],
  [{ HIGHWATER_NODES: 'broker-1,broker-2' }, /the controller is missing/],
  [{ HIGHWATER_NODES: 'controller,broker-2,broker-2' }, /broker-2 is there twice/],
  [{ HIGHWATER_TIMERS: 'slow' }, /kafka or fast, not "slow"/],
  [{ HIGHWATER_CONFIG: 'min.insync.replicas' }, /name=value/],
  [{ HIGHWATER_CONFIG: 'min.insync.replica=2' }, /HIGHWATER_CONFIG: unknown setting "min.insync.replica"/],
  [{ HIGHWATER_CONFIG: 'min.insync.replicas=x' }, /min.insync.replicas is a whole number, not "x"/],
  [{ HIGHWATER_SECRET: 'short' }, /at least 16 characters/],
  [{ HIGHWATER_OUTSIDE_PORT_BASE: '80' }, /1024 to 65000/],
  [{ HIGHWATER_OUTSIDE: 'controller=a,broker-1=b' }, /one for each node as controller=HOST,…; broker-2 is missing/],
  [{ HIGHWATER_OUTSIDE: 'controller=a,broker-1=b,broker-7=c' }, /"broker-7=c" names no node and its host/],
  [{ HIGHWATER_OUTSIDE: 'a b' }, /"a=" names no node and its host/],
  [{ HIGHWATER_CLUSTER: 'No Name' }, /is no cluster name/],
])('%o is refused with a sentence', (change, sentence) => {
  expect(refusal(change)).toThrow(sentence);
});
