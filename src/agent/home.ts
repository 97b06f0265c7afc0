// Where clusters are recorded: $HIGHWATER_HOME, or a folder of the user's home. Each cluster has a folder with its state
// file (mode 0600: it holds the secret) and, unless `--dir` said otherwise, its data.
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { makeFolder } from './make-folder.ts';
import * as z from 'zod';

/** A cluster's name never becomes a path unescaped: this is all it may be (design section 10). */
export const CLUSTER_NAME = /^[a-z0-9-]{1,63}$/;

const PROCESS = z.object({
  /** 0: not running. */
  pid: z.number().int(),
  /** Start time in clock ticks since boot, as /proc has it: tells a process from another that got its pid. */
  startTime: z.string(),
});

/** Where clients outside the network of the nodes reach one and its agent. */
export const OUTSIDE_ADDRESS = z.object({
  host: z.string(),
  agentPort: z.number().int(),
  grpcPort: z.number().int(),
  kafkaPort: z.number().int(),
});

const ADDRESS = z.object({ host: z.string(), port: z.number().int() });

/** A second Kafka listener: what its clients are told, and where it listens. */
export const KAFKA_OUTSIDE = ADDRESS.extend({ bind: ADDRESS });
/** What Kafka clients are told of the first listener instead of where it listens. */
export const KAFKA_ADVERTISED = ADDRESS;

const NODE = PROCESS.extend({
  id: z.number().int(),
  role: z.enum(['broker', 'controller']),
  dataDir: z.string(),
  grpcPort: z.number().int(),
  /** 0 for the controller. */
  kafkaPort: z.number().int(),
  /** Where it is reached, if not at the cluster's host: the name of its container. */
  host: z.string().optional(),
  /** Port of an agent of its own; absent: the cluster's agent has it. */
  agentPort: z.number().int().optional(),
  /** Where clients outside its network reach it. */
  outside: OUTSIDE_ADDRESS.optional(),
  /** Ports on which it listens for those clients, if they are not the same. */
  outsideListens: z.object({ grpcPort: z.number().int(), kafkaPort: z.number().int() }).optional(),
  /** Where a broker stands (repl R-35). */
  rack: z.string().optional(),
  kafkaAdvertised: KAFKA_ADVERTISED.optional(),
  kafkaOutside: KAFKA_OUTSIDE.optional(),
});

const STATE = z.object({
  version: z.literal(1),
  name: z.string().regex(CLUSTER_NAME),
  dir: z.string(),
  secret: z.string().min(16),
  timers: z.enum(['kafka', 'fast']),
  host: z.string(),
  agent: PROCESS.extend({ port: z.number().int() }),
  nodes: z.array(NODE),
  config: z.record(z.string(), z.string()),
});

/** What is known of a cluster without asking it. */
export type ClusterState = z.infer<typeof STATE>;
export type NodeState = z.infer<typeof NODE>;

/** Where a node is reached. */
export function hostOf(state: Pick<ClusterState, 'host'>, node: Pick<NodeState, 'host'>): string {
  return node.host ?? state.host;
}

/** Whether each node has an agent of its own, in a container: their processes cannot be seen from here, only asked for. */
export function inContainers(state: Pick<ClusterState, 'nodes'>): boolean {
  return state.nodes.some((node) => node.agentPort !== undefined);
}

/** The folder that holds all clusters of this user. */
export function highwaterHome(): string {
  const fromEnvironment = process.env['HIGHWATER_HOME'];
  return resolve(
    fromEnvironment !== undefined && fromEnvironment !== '' ? fromEnvironment : join(homedir(), '.highwater'),
  );
}

/** The folder of one cluster. The name has been checked. */
export function clusterFolder(name: string, home = highwaterHome()): string {
  return join(home, 'clusters', name);
}

const stateFile = (name: string, home: string): string => join(clusterFolder(name, home), 'cluster.json');

/** Why there is no state: none was recorded, or it cannot be read. */
export interface NoState {
  readonly problem: string;
  readonly damaged: boolean;
}

/** The state of a cluster, or why there is none. */
export function readState(name: string, home = highwaterHome()): ClusterState | NoState {
  let text: string;
  try {
    text = readFileSync(stateFile(name, home), 'utf8');
  } catch {
    return { problem: `no cluster "${name}" is recorded in ${home}`, damaged: false };
  }
  try {
    return STATE.parse(JSON.parse(text));
  } catch (error) {
    const detail = error instanceof z.ZodError ? (error.issues[0]?.path.join('.') ?? '') : 'not JSON';
    const problem = `${stateFile(name, home)} is damaged (${detail}); remove it and start the cluster again`;
    return { problem, damaged: true };
  }
}

/** Writes the state atomically, readable by its owner only. */
export function writeState(state: ClusterState, home = highwaterHome()): void {
  const folder = clusterFolder(state.name, home);
  makeFolder(folder);
  const file = stateFile(state.name, home);
  const fresh = `${file}.${process.pid}.tmp`;
  writeFileSync(fresh, JSON.stringify(state, null, 2) + '\n', { mode: 0o600 });
  renameSync(fresh, file);
}

/** Forgets a cluster; its data stays unless it lives in the cluster's own folder and `withData` says so. */
export function forgetState(name: string, home = highwaterHome()): void {
  rmSync(stateFile(name, home), { force: true });
}

/** Names of all recorded clusters. The folder of one that never came up, or is forgotten, may be there all the same. */
export function recordedClusters(home = highwaterHome()): string[] {
  try {
    return readdirSync(join(home, 'clusters'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && CLUSTER_NAME.test(entry.name))
      .map((entry) => entry.name)
      .filter((name) => existsSync(stateFile(name, home)))
      .sort();
  } catch {
    return [];
  }
}
