// Lays out a new cluster, or takes up a recorded one: names, directories, ports, the secret. Starts nothing.
import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { CONTROLLER_ID } from '../base/units.ts';
import { dataDirOf } from './agent.ts';
import { clusterFolder, readState, type ClusterState, type NodeState } from './home.ts';
import { claimDirectory } from './layout.ts';
import { freePorts, isFree, portsOfOthers } from './ports.ts';

export interface ClusterPlan {
  readonly name: string;
  readonly home: string;
  readonly brokers: number;
  /** Undefined: a folder of the cluster's own under the home. */
  readonly dir: string | undefined;
  readonly timers: 'kafka' | 'fast';
  readonly host: string;
  /** Kafka port of broker 1; 0 picks free ones. Undefined: 19092, or what the cluster had. */
  readonly portBase: number | undefined;
  readonly config: Readonly<Record<string, string>>;
}

export const DEFAULT_PORT_BASE = 19_092;

/** Why a cluster cannot be laid out, and which kind of trouble it is. */
export class LayoutRefused extends Error {
  override name = 'LayoutRefused';
  readonly kind: 'directory' | 'port';
  constructor(kind: 'directory' | 'port', message: string) {
    super(message);
    this.kind = kind;
  }
}

/**
 * The state of a cluster about to start. A recorded cluster keeps its directory, secret, brokers and ports; its data is
 * found again. Throws LayoutRefused.
 */
export async function layOut(plan: ClusterPlan): Promise<ClusterState> {
  const recorded = readState(plan.name, plan.home);
  const before = 'problem' in recorded ? undefined : recorded;
  const dir = resolve(plan.dir ?? before?.dir ?? join(clusterFolder(plan.name, plan.home), 'data'));
  const refused = claimDirectory(dir, plan.name);
  if (refused !== undefined) throw new LayoutRefused('directory', refused);
  const same = before !== undefined && before.dir === dir ? before : undefined;
  const ids = Array.from({ length: plan.brokers }, (_, index) => index + 1);
  const kafkaPorts = await kafkaPortsFor(plan, same, ids);
  const taken = new Set([...portsOfOthers(plan.home, plan.name), ...kafkaPorts]);
  const grpc = await freePorts({ host: plan.host, count: plan.brokers + 2, consecutive: false, taken });
  const kept = (id: number): NodeState | undefined => same?.nodes.find((node) => node.id === id);
  const node = (id: number, role: 'broker' | 'controller', index: number): NodeState => ({
    ...{ id, role, pid: 0, startTime: '', dataDir: dataDirOf(dir, role, id) },
    grpcPort: kept(id)?.grpcPort ?? grpc[index]!,
    kafkaPort: role === 'broker' ? kafkaPorts[id - 1]! : 0,
  });
  return {
    ...{ version: 1, name: plan.name, dir, host: plan.host, timers: plan.timers, config: { ...plan.config } },
    secret: same?.secret ?? randomBytes(24).toString('base64url'),
    agent: { pid: 0, startTime: '', port: grpc[plan.brokers + 1]! },
    nodes: [node(CONTROLLER_ID, 'controller', plan.brokers), ...ids.map((id, index) => node(id, 'broker', index))],
  };
}

async function kafkaPortsFor(
  plan: ClusterPlan,
  same: ClusterState | undefined,
  ids: readonly number[],
): Promise<number[]> {
  const had = ids.map((id) => same?.nodes.find((node) => node.id === id)?.kafkaPort);
  if (plan.portBase === undefined && had.every((port) => port !== undefined)) return had;
  const taken = portsOfOthers(plan.home, plan.name);
  if (plan.portBase === 0) return freePorts({ host: plan.host, count: ids.length, consecutive: true, taken });
  const base = plan.portBase ?? DEFAULT_PORT_BASE;
  const ports = ids.map((id) => base + id - 1);
  for (const [index, port] of ports.entries()) {
    if (port > 65_535)
      throw new LayoutRefused(
        'port',
        `port ${port} for broker ${ids[index]} does not exist. Use a smaller --port-base`,
      );
    if (taken.has(port) || !(await isFree(plan.host, port))) {
      const owner = taken.has(port) ? 'belongs to another cluster of yours' : 'is taken by another program';
      throw new LayoutRefused(
        'port',
        `port ${port} for broker ${ids[index]} ${owner}. Use: highwater up --port-base ${base + 10_000}, or 0 for any free ports`,
      );
    }
  }
  return ports;
}
