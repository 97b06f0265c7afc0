// The place of an agent in a cluster of containers, one node each or all nodes in one: read from the environment, which is the
// same for all of them but for the name of the node. Ports are fixed: inside the network every container has its own address;
// where all share one, and outside, they follow one another.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CONTROLLER_ID } from '../base/units.ts';
import { ConfigError, nodeConfig, type TimerProfile } from '../protocol/config.ts';
import { CLUSTER_NAME, type ClusterState, type NodeState } from './home.ts';
import { nodeFolder } from './layout.ts';

/** Ports of every container in its network; the health port answers on its loopback only. */
export const INSIDE = { agentPort: 9190, grpcPort: 9191, kafkaPort: 9092, healthPort: 9189 } as const;

/** Outside: Kafka port of broker 1 if nothing else is said. gRPC ports are 100 higher, ports of agents 200. */
export const OUTSIDE_PORT_BASE = 19_092;

/** Name of the node of a container that has them all. */
const ALL = 'all';
/** Address outside of nodes whose published ports are not known yet. */
const LATER = 'later';

/** The environment that describes a cluster of containers. */
export type ContainerEnvironment = Readonly<Record<string, string | undefined>>;

/** One container's place: the cluster, and which nodes are its own. */
export interface ContainerPlace {
  readonly state: ClusterState;
  readonly own: readonly number[];
  /** It is told later where clients outside find the nodes, and does not start its own before. */
  readonly waits: boolean;
}

/** The environment does not describe a place: a sentence that names the variable and what to write. */
export class PlaceUnknown extends Error {
  override name = 'PlaceUnknown';
}

interface Named {
  readonly id: number;
  readonly role: 'broker' | 'controller';
  readonly name: string;
  readonly host: string;
}

/** Reads the place. `home` is where the container's volume is mounted. Throws PlaceUnknown. */
export function readPlace(env: ContainerEnvironment, home: string): ContainerPlace {
  const name = said(env, 'HIGHWATER_CLUSTER') ?? 'default';
  if (!CLUSTER_NAME.test(name))
    throw new PlaceUnknown(`HIGHWATER_CLUSTER: "${name}" is no cluster name: 1 to 63 characters of a-z, 0-9 and -`);
  const wanted = said(env, 'HIGHWATER_NODE') ?? '';
  const together = wanted === ALL;
  const named = readNodes(env, together);
  const own = named.filter((node) => together || node.name === wanted).map(({ id }) => id);
  if (own.length === 0) {
    const known = named.map((node) => node.name).join(', ');
    throw new PlaceUnknown(
      `HIGHWATER_NODE must say which node this container is: one of ${known}, or ${ALL}, not "${wanted}"`,
    );
  }
  const timers = said(env, 'HIGHWATER_TIMERS') ?? 'kafka';
  if (timers !== 'kafka' && timers !== 'fast')
    throw new PlaceUnknown(`HIGHWATER_TIMERS is kafka or fast, not "${timers}"`);
  const [dir, outside] = [join(home, 'data'), readOutside(env, named)];
  const waits = said(env, 'HIGHWATER_OUTSIDE') === LATER;
  const as = { dir, outside, together, waits };
  const state: ClusterState = {
    ...{ version: 1, name, dir, host: '0.0.0.0', timers, secret: readSecret(env), config: readConfig(env, timers) },
    agent: { pid: 0, startTime: '', port: INSIDE.agentPort },
    nodes: named.map((node) => placed(node, as)),
  };
  return { state, own, waits };
}

/** An empty variable is one that is not set. */
function said(env: ContainerEnvironment, name: string): string | undefined {
  const value = env[name]?.trim();
  return value === '' ? undefined : value;
}

/** "controller,broker-1,broker-2=10.0.0.7": names, and the hosts they are found at if those are not the names. */
function readNodes(env: ContainerEnvironment, together: boolean): Named[] {
  const text = said(env, 'HIGHWATER_NODES');
  const example = 'HIGHWATER_NODES lists the nodes of the cluster, e.g. controller,broker-1,broker-2,broker-3';
  if (text === undefined) throw new PlaceUnknown(example);
  const nodes = text.split(/[\s,]+/).map((word): Named => {
    const [name = '', host = together ? '127.0.0.1' : name] = word.split('=');
    if (name === 'controller') return { id: CONTROLLER_ID, role: 'controller', name, host };
    const id = Number(/^broker-([1-9]\d?)$/.exec(name)?.[1] ?? 0);
    if (id === 0) throw new PlaceUnknown(`${example}; "${word}" is neither "controller" nor broker-1 to broker-99`);
    return { id, role: 'broker', name, host };
  });
  const twice = nodes.find((node, index) => nodes.findIndex(({ id }) => id === node.id) !== index);
  if (twice !== undefined) throw new PlaceUnknown(`${example}; ${twice.name} is there twice`);
  if (!nodes.some(({ role }) => role === 'controller')) throw new PlaceUnknown(`${example}; the controller is missing`);
  return nodes;
}

interface Outside {
  /** By the name of a node: the host that publishes its ports. */
  readonly hosts: ReadonlyMap<string, string>;
  readonly base: number;
}

/** "demo.example" for all, or "controller=a.example,broker-1=b.example" where each is published by a host of its own. */
function readOutside(env: ContainerEnvironment, named: readonly Named[]): Outside | undefined {
  const text = said(env, 'HIGHWATER_OUTSIDE');
  const base = Number(said(env, 'HIGHWATER_OUTSIDE_PORT_BASE') ?? OUTSIDE_PORT_BASE);
  if (!Number.isInteger(base) || base < 1024 || base > 65_000)
    throw new PlaceUnknown('HIGHWATER_OUTSIDE_PORT_BASE is the published Kafka port of broker 1: 1024 to 65000');
  if (text === undefined) return undefined;
  if (!/[=\s,]/.test(text)) return { hosts: new Map(named.map(({ name }) => [name, text])), base };
  const hosts = new Map(text.split(/[\s,]+/).map((word) => word.split('=', 2) as [string, string]));
  const known = named.map(({ name }) => name);
  const wrong = [...hosts].find(([name, host = '']) => !known.includes(name) || host === '');
  const missing = known.find((name) => !hosts.has(name));
  if (wrong === undefined && missing === undefined) return { hosts, base };
  const why = wrong === undefined ? `${missing} is missing` : `"${wrong.join('=')}" names no node and its host`;
  throw new PlaceUnknown(`HIGHWATER_OUTSIDE is one host, or one for each node as ${known[0]}=HOST,…; ${why}`);
}

interface Placing {
  readonly dir: string;
  readonly outside: Outside | undefined;
  readonly together: boolean;
  readonly waits: boolean;
}

function placed({ id, role, name, host }: Named, { dir, outside, together, waits }: Placing): NodeState {
  const [kafka, nth] = [role === 'broker', role === 'broker' ? id : 0];
  const inside = {
    grpcPort: INSIDE.grpcPort + (together ? nth : 0),
    kafkaPort: kafka ? INSIDE.kafkaPort + (together ? nth - 1 : 0) : 0,
  };
  const dataDir = nodeFolder(dir, role, id);
  const node = { id, role, pid: 0, startTime: '', dataDir, host, agentPort: INSIDE.agentPort, ...inside };
  const outsideHost = outside?.hosts.get(name);
  if (outside === undefined || outsideHost === undefined) return node;
  const port = outside.base + nth - 1;
  const ports = { grpcPort: port + 100, kafkaPort: kafka ? port : 0 };
  if (waits) return { ...node, outsideListens: ports };
  return { ...node, outside: { host: outsideHost, agentPort: port + 200, ...ports } };
}

/** "name=value" by Kafka's names, separated by commas, spaces or lines: what no node would start with is refused here. */
function readConfig(env: ContainerEnvironment, timers: TimerProfile): Record<string, string> {
  const settings = (said(env, 'HIGHWATER_CONFIG') ?? '').split(/[\s,]+/).filter((word) => word !== '');
  const config = Object.fromEntries(
    settings.map((word) => {
      const at = word.indexOf('=');
      if (at < 1) throw new PlaceUnknown(`HIGHWATER_CONFIG holds settings as name=value, not "${word}"`);
      return [word.slice(0, at), word.slice(at + 1)];
    }),
  );
  try {
    nodeConfig(config, timers);
  } catch (error) {
    if (error instanceof ConfigError) throw new PlaceUnknown(`HIGHWATER_CONFIG: ${error.message}`);
    throw error;
  }
  return config;
}

/** HIGHWATER_SECRET, or the content of HIGHWATER_SECRET_FILE. */
function readSecret(env: ContainerEnvironment): string {
  const file = said(env, 'HIGHWATER_SECRET_FILE');
  const secret = said(env, 'HIGHWATER_SECRET') ?? (file === undefined ? '' : contentOf(file));
  if (secret.length >= 16) return secret;
  throw new PlaceUnknown(
    'nodes in containers listen to a network, so the cluster needs a secret of at least 16 characters: ' +
      `set HIGHWATER_SECRET_FILE or HIGHWATER_SECRET${file === undefined ? '' : ` (${file} holds ${secret.length})`}`,
  );
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new PlaceUnknown(`HIGHWATER_SECRET_FILE cannot be read: ${(error as Error).message}`);
  }
}
