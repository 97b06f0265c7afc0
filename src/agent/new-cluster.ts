// Lays out a new cluster, or takes up a recorded one: names, directories, ports, the secret. Starts nothing.
import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import { CONTROLLER_ID } from '../base/units.ts';
import { rackOf } from '../protocol/config.ts';
import { clusterFolder, readState, type ClusterState, type NodeState } from './home.ts';
import { kafkaListeners, type Address, type ListenerPlan } from './kafka-listeners.ts';
import { claimDirectory, nodeFolder } from './layout.ts';
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
  /** Racks of the brokers in order, round and round if there are fewer. Absent: those it had. */
  readonly racks?: readonly string[];
  /** What Kafka clients are told, and a second listener for those outside. */
  readonly listeners?: ListenerPlan;
}

export const DEFAULT_PORT_BASE = 19_092;
const PORT_MAX = 65_535;

/** Why a cluster cannot be laid out, and which kind of trouble it is. */
export class LayoutRefused extends Error {
  override name = 'LayoutRefused';
  readonly kind: 'directory' | 'port';
  constructor(kind: 'directory' | 'port', message: string) {
    super(message);
    this.kind = kind;
  }
}

/** The directory of a cluster about to start, claimed for it. Throws LayoutRefused. */
export function claimedDirectory(plan: Pick<ClusterPlan, 'name' | 'home' | 'dir'>): string {
  const recorded = readState(plan.name, plan.home);
  const before = 'problem' in recorded ? undefined : recorded.dir;
  const dir = resolve(plan.dir ?? before ?? join(clusterFolder(plan.name, plan.home), 'data'));
  const refused = claimDirectory(dir, plan.name);
  if (refused !== undefined) throw new LayoutRefused('directory', refused);
  return dir;
}

/**
 * The state of a cluster about to start. A recorded cluster keeps its directory, secret, brokers and ports; its data is
 * found again. Throws LayoutRefused.
 */
export async function layOut(plan: ClusterPlan): Promise<ClusterState> {
  const dir = claimedDirectory(plan);
  const recorded = readState(plan.name, plan.home);
  const same = !('problem' in recorded) && recorded.dir === dir ? recorded : undefined;
  const ids = Array.from({ length: plan.brokers }, (_, index) => index + 1);
  const kafkaPorts = await kafkaPortsFor(plan, same, ids);
  const listenersOf = kafkaListeners(plan.listeners ?? {}, same);
  const outside = ids.map((id) => listenersOf(id).kafkaOutside?.bind).filter((bind) => bind !== undefined);
  await refuseOutside(plan, outside, kafkaPorts);
  const had = new Map(same?.nodes.map((node) => [node.id, node.grpcPort]));
  const taken = new Set([...portsOfOthers(plan.home, plan.name), ...kafkaPorts, ...outside.map(({ port }) => port)]);
  const grpc = await freePorts({
    ...{ host: plan.host, count: plan.brokers + 2, consecutive: false },
    taken: new Set([...taken, ...had.values()]),
  });
  // Nobody but nodes knows a gRPC port: one that somebody else took meanwhile is replaced.
  const stillFree = new Set<number>();
  for (const port of had.values()) if (!taken.has(port) && (await isFree(plan.host, port))) stillFree.add(port);
  const node = (id: number, role: 'broker' | 'controller', index: number): NodeState => ({
    ...{ id, role, pid: 0, startTime: '', dataDir: nodeFolder(dir, role, id) },
    grpcPort: stillFree.has(had.get(id) ?? -1) ? had.get(id)! : grpc[index]!,
    kafkaPort: role === 'broker' ? kafkaPorts[id - 1]! : 0,
    ...(role === 'broker' && listenersOf(id)),
    ...(role === 'broker' && standing(plan, same, id)),
  });
  return {
    ...{ version: 1, name: plan.name, dir, host: plan.host, timers: plan.timers, config: { ...plan.config } },
    secret: same?.secret ?? randomBytes(24).toString('base64url'),
    agent: { pid: 0, startTime: '', port: grpc[plan.brokers + 1]! },
    nodes: [node(CONTROLLER_ID, 'controller', plan.brokers), ...ids.map((id, index) => node(id, 'broker', index))],
  };
}

/** The rack of a broker: as the plan says, else as it was. */
function standing({ racks }: ClusterPlan, same: ClusterState | undefined, id: number): Pick<NodeState, 'rack'> {
  const rack = racks === undefined ? same?.nodes.find((node) => node.id === id)?.rack : rackOf(racks, id);
  return rack === undefined || rack === '' ? {} : { rack };
}

/** The port that each broker had, or else base, base+1, …; with base 0 any free ones in a row. */
async function kafkaPortsFor(
  plan: ClusterPlan,
  same: ClusterState | undefined,
  ids: readonly number[],
): Promise<number[]> {
  const had = ids.map((id) => same?.nodes.find((node) => node.id === id)?.kafkaPort);
  const keeps = had.every((port) => port !== undefined);
  const taken = portsOfOthers(plan.home, plan.name);
  if (plan.portBase === undefined && keeps) return refuseTaken(plan, had, taken);
  if (plan.portBase !== 0) {
    const base = plan.portBase ?? DEFAULT_PORT_BASE;
    const ports = ids.map((id) => base + id - 1);
    return refuseTaken(plan, ports, taken);
  }
  const free = await Promise.all(had.map((port) => port !== undefined && !taken.has(port) && isFree(plan.host, port)));
  if (keeps && free.every(Boolean)) return had;
  return freePorts({ host: plan.host, count: ids.length, consecutive: true, taken });
}

/** Throws LayoutRefused for the first port of the second listeners that cannot be used. */
async function refuseOutside(
  { home, name }: ClusterPlan,
  binds: readonly Address[],
  kafkaPorts: readonly number[],
): Promise<void> {
  const others = portsOfOthers(home, name);
  for (const [index, { host, port }] of binds.entries()) {
    const why = kafkaPorts.includes(port)
      ? 'is the port of the first listener of a broker'
      : others.has(port)
        ? 'belongs to another cluster of yours'
        : (await isFree(host, port))
          ? undefined
          : `cannot be had on ${host}: it is taken, or no address of this host`;
    if (why === undefined) continue;
    const hint = 'Use another port with --outside-bind HOST:PORT; what clients are told can stay';
    throw new LayoutRefused('port', `port ${port} for the listener outside of broker ${index + 1} ${why}. ${hint}`);
  }
}

/** Answers the ports if all can be used; throws LayoutRefused for the first that cannot. */
async function refuseTaken(plan: ClusterPlan, ports: readonly number[], taken: ReadonlySet<number>): Promise<number[]> {
  for (const [index, port] of ports.entries()) {
    const refuse = (why: string): LayoutRefused =>
      new LayoutRefused('port', `port ${port} for broker ${index + 1} ${why}`);
    if (port > PORT_MAX)
      throw refuse(`does not exist. Use a smaller --port-base, at most ${PORT_MAX + 1 - ports.length}`);
    if (!taken.has(port) && (await isFree(plan.host, port))) continue;
    const owner = taken.has(port) ? 'belongs to another cluster of yours' : 'is taken by another program';
    const other = ports[0]! + 10_000 + ports.length <= PORT_MAX ? ports[0]! + 10_000 : 29_092;
    throw refuse(`${owner}. Use: highwater up --port-base ${other}, or 0 for any free ports`);
  }
  return [...ports];
}
