// The agent of one host: starts, kills, pauses and resumes its nodes, and keeps armed faults, cut links and safeguards in
// their start files. It decides nothing about Kafka and restarts nobody on its own (design section 1).
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type {
  FaultAction,
  FaultSpec,
  FaultStatus,
  ListFaultsResponse,
  NodeStatus,
} from '../protocol/generated/index.ts';
import { writeState, type ClusterState, type NodeState } from './home.ts';
import { NODE_FILES, nodeFolder, wipeStore } from './layout.ts';
import type { NodeLink, Refused } from './node-link.ts';
import { NodeProcess } from './node-process.ts';
import { isFrozen, lastFiring } from './node-traces.ts';
import { writeStartFile, type StartFile } from './start-file.ts';

export interface AgentOptions {
  readonly home: string;
  /** dist/node/main.js. */
  readonly program: string;
  /** Opens the calls to a running node. */
  readonly link: (node: NodeState, secret: string) => NodeLink;
  /** Safeguards that are off from the first start on. */
  readonly safeguardsOff?: readonly string[];
}

interface Supervised {
  readonly process: NodeProcess;
  readonly state: NodeState;
  start: StartFile;
}

/** How long a clean stop may take before SIGKILL. */
const STOP_GRACE_MS = 15_000;

export class Agent {
  #state: ClusterState;
  readonly #options: AgentOptions;
  readonly #nodes = new Map<number, Supervised>();
  /** Faults of the cluster, as armed; each node's start file has them too. */
  readonly #faults = new Map<string, FaultSpec>();
  #closing = false;

  constructor(state: ClusterState, options: AgentOptions) {
    this.#state = state;
    this.#options = options;
    for (const node of state.nodes) this.#nodes.set(node.id, this.#supervise(node));
  }

  get state(): ClusterState {
    return this.#state;
  }

  /** Starts every node: the controller first, then all brokers at once. Rejects with the first reason. */
  async startAll(): Promise<void> {
    const nodes = [...this.#nodes.values()];
    const controllers = nodes.filter((node) => node.state.role === 'controller').map((node) => this.#launch(node));
    const brokers = nodes.filter((node) => node.state.role === 'broker').map((node) => this.#launch(node));
    await Promise.all([...controllers, ...brokers]);
  }

  list(): NodeStatus[] {
    return [...this.#nodes.values()].map((node) => this.#status(node));
  }

  async startNode(id: number, how: { readonly wipe: boolean; readonly truncateTail: number }): Promise<Refused> {
    const node = this.#nodes.get(id);
    if (node === undefined) return this.#unknown(id);
    if (node.process.alive) return `node ${id} is already running (pid ${node.process.pid})`;
    if (how.wipe) wipeStore(node.state.dataDir);
    try {
      await this.#launch(node, { truncateTail: how.truncateTail, wiped: how.wipe });
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  }

  async stopNode(id: number, cause: string): Promise<Refused> {
    const node = this.#nodes.get(id);
    if (node === undefined) return this.#unknown(id);
    if (!node.process.alive) return `node ${id} is not running`;
    const clean = await node.process.stop(cause, STOP_GRACE_MS);
    return clean ? '' : `node ${id} did not stop in order within ${STOP_GRACE_MS / 1000} s and was killed`;
  }

  async killNode(id: number, cause: string): Promise<Refused> {
    const node = this.#nodes.get(id);
    if (node === undefined) return this.#unknown(id);
    if (!node.process.alive) return `node ${id} is not running`;
    await node.process.kill(cause);
    return '';
  }

  pauseNode(id: number, cause: string): Refused {
    const node = this.#nodes.get(id);
    if (node === undefined) return this.#unknown(id);
    if (!node.process.alive) return `node ${id} is not running`;
    node.process.pause(cause);
    return '';
  }

  resumeNode(id: number): Refused {
    const node = this.#nodes.get(id);
    if (node === undefined) return this.#unknown(id);
    if (!node.process.alive) return `node ${id} is not running`;
    node.process.resume();
    return '';
  }

  /** Arms on every running node and in every start file; refused as a whole if one node refuses. */
  async arm(fault: FaultSpec): Promise<Refused> {
    const refused = await this.#onRunning((link) => link.arm(fault));
    if (refused !== '') {
      await this.#onRunning((link) => link.disarm(fault.id));
      return refused;
    }
    this.#faults.set(fault.id, fault);
    this.#rewrite((start) => ({
      ...start,
      faults: [...start.faults.filter(({ id }) => id !== fault.id), plain(fault)],
    }));
    return '';
  }

  async disarm(id: string): Promise<Refused> {
    const known = id === '*' ? [...this.#faults.keys()] : [id];
    if (id !== '*' && !this.#faults.has(id))
      return `no fault "${id}" is armed. Armed: ${[...this.#faults.keys()].join(', ') || 'none'}`;
    for (const each of known) this.#faults.delete(each);
    this.#rewrite((start) => ({ ...start, faults: start.faults.filter((fault) => !known.includes(fault.id)) }));
    return this.#onRunning((link) => link.disarm(id));
  }

  async release(id: string): Promise<Refused> {
    return this.#onRunning((link) => link.release(id));
  }

  /** Faults with counts summed over the running nodes. */
  async listFaults(): Promise<Pick<ListFaultsResponse, 'faults' | 'safeguardsOff'>> {
    const sums = new Map<string, FaultStatus>();
    for (const fault of this.#faults.values())
      sums.set(fault.id, { fault, hits: 0, matches: 0, firings: 0, holding: 0, nearMisses: [] });
    await this.#onRunning(async (link) => {
      for (const status of (await link.list()).faults) {
        const sum = sums.get(status.fault?.id ?? '');
        if (sum === undefined) continue;
        for (const count of ['hits', 'matches', 'firings', 'holding'] as const) sum[count] += status[count];
      }
      return '';
    });
    const off = new Set([...this.#nodes.values()].flatMap((node) => node.start.safeguardsOff));
    return { faults: [...sums.values()], safeguardsOff: [...off] };
  }

  async setLink(from: number, to: number, cut: boolean): Promise<Refused> {
    const node = this.#nodes.get(from);
    if (node === undefined) return this.#unknown(from);
    const others = node.start.cutTo.filter((id) => id !== to);
    this.#rewriteOne(node, { ...node.start, cutTo: cut ? [...others, to] : others });
    return node.process.alive ? this.#call(node, (link) => link.setLink(to, cut)) : '';
  }

  async setSafeguard(name: string, on: boolean): Promise<Refused> {
    const refused = await this.#onRunning((link) => link.setSafeguard(name, on));
    if (refused !== '') return refused;
    this.#rewrite((start) => {
      const others = start.safeguardsOff.filter((off) => off !== name);
      return { ...start, safeguardsOff: on ? others : [...others, name] };
    });
    return '';
  }

  /** Removes faults (of one owner, or all), mends links, switches safeguards on, resumes the frozen. */
  async heal(owner: string): Promise<Refused> {
    const mine = [...this.#faults.values()].filter((fault) => owner === '' || fault.owner === owner);
    const refusals: Refused[] = [];
    for (const fault of mine) refusals.push(await this.disarm(fault.id));
    for (const node of this.#nodes.values()) {
      for (const to of [...node.start.cutTo]) refusals.push(await this.setLink(node.state.id, to, false));
      if (node.process.alive && this.#status(node).state === 'paused') node.process.resume();
    }
    const off = new Set([...this.#nodes.values()].flatMap((node) => node.start.safeguardsOff));
    for (const name of off) refusals.push(await this.setSafeguard(name, true));
    return refusals.filter((refused) => refused !== '').join('; ');
  }

  /** Stops all nodes in order, brokers before the controller; what does not stop in time is killed. */
  async shutdown(graceMs: number): Promise<void> {
    this.#closing = true;
    const ofRole = (role: string): NodeProcess[] =>
      [...this.#nodes.values()].map((node) => node.process).filter((node) => node.role === role);
    await Promise.all(ofRole('broker').map((node) => node.stop('shutdown', graceMs)));
    await Promise.all(ofRole('controller').map((node) => node.stop('shutdown', Math.min(graceMs, 3000))));
  }

  /** Ends all nodes at once. */
  async killAll(cause: string): Promise<void> {
    this.#closing = true;
    await Promise.all([...this.#nodes.values()].map((node) => node.process.kill(cause)));
  }

  /** A fault at one node's point that strikes another node of this host. */
  async #actElsewhere(action: FaultAction): Promise<Refused> {
    const id = Number(action.target);
    const cause = 'a fault at another node';
    switch (action.kind) {
      case 'kill':
        return this.killNode(id, cause);
      case 'stop':
        return this.stopNode(id, cause);
      case 'start':
        return this.startNode(id, { wipe: false, truncateTail: 0 });
      case 'pause':
        return this.pauseNode(id, cause);
      case 'resume':
        return this.resumeNode(id);
      default:
        return `${action.kind} cannot be aimed from a point; use it by itself: highwater fault add --do ${action.kind}`;
    }
  }

  #supervise(node: NodeState): Supervised {
    mkdirSync(node.dataDir, { recursive: true, mode: 0o700 });
    const startFile = join(node.dataDir, NODE_FILES.start);
    const process = new NodeProcess({
      ...{ id: node.id, role: node.role, dataDir: node.dataDir, startFile, program: this.#options.program },
      onChange: () => this.#record(),
      elsewhere: (action) => this.#actElsewhere(action),
    });
    return { process, state: node, start: this.#startFileOf(node) };
  }

  #startFileOf(node: NodeState): StartFile {
    const { name, secret, host, timers, config, nodes } = this.#state;
    const controller = nodes.find((other) => other.role === 'controller');
    return {
      ...{
        version: 1,
        cluster: name,
        secret,
        role: node.role,
        id: node.id,
        host,
        advertisedHost: host,
        timers,
        config,
      },
      ...{ grpcPort: node.grpcPort, kafkaPort: node.kafkaPort, seed: 0 },
      controller: { id: controller?.id ?? 0, host, port: controller?.grpcPort ?? 0 },
      safeguardsOff: [...(this.#options.safeguardsOff ?? [])],
      ...{ faults: [], cutTo: [], truncateTail: 0, wiped: false },
    };
  }

  async #launch(node: Supervised, once: Partial<Pick<StartFile, 'truncateTail' | 'wiped'>> = {}): Promise<void> {
    if (this.#closing) throw new Error('the cluster is being shut down');
    const file = join(node.state.dataDir, NODE_FILES.start);
    writeStartFile(file, { ...node.start, ...once });
    await node.process.start();
    writeStartFile(file, node.start); // A loss happens once.
  }

  #rewrite(change: (start: StartFile) => StartFile): void {
    for (const node of this.#nodes.values()) this.#rewriteOne(node, change(node.start));
  }

  #rewriteOne(node: Supervised, start: StartFile): void {
    node.start = start;
    writeStartFile(join(node.state.dataDir, NODE_FILES.start), start);
  }

  async #onRunning(call: (link: NodeLink) => Promise<Refused>): Promise<Refused> {
    const running = [...this.#nodes.values()].filter(
      (node) => node.process.alive && this.#status(node).state !== 'paused',
    );
    const refusals = await Promise.all(running.map((node) => this.#call(node, call)));
    return refusals.find((refused) => refused !== '') ?? '';
  }

  /** A node that dies while it is asked has nothing to refuse: it reads its start file when it starts again. */
  async #call(node: Supervised, call: (link: NodeLink) => Promise<Refused>): Promise<Refused> {
    const link = this.#options.link(node.state, this.#state.secret);
    try {
      return await call(link);
    } catch (error) {
      return node.process.alive ? `node ${node.state.id}: ${(error as Error).message}` : '';
    } finally {
      link.close();
    }
  }

  #status(node: Supervised): NodeStatus {
    const { process, state } = node;
    const frozen = process.alive && (process.state === 'paused' || isFrozen(process.pid));
    const firing = process.alive || process.cause !== '' ? undefined : lastFiring(state.dataDir);
    return {
      ...{ id: state.id, role: state.role, pid: process.pid, state: frozen ? 'paused' : process.state },
      ...{ exitCode: process.exitCode, exitSignal: process.exitSignal, cause: process.cause || (firing ?? '') },
      ...{ grpcPort: state.grpcPort, kafkaPort: state.kafkaPort, dataDir: state.dataDir, starts: process.starts },
    };
  }

  /** Keeps pids in the state file, so that a later command can end what a dead agent left. */
  #record(): void {
    const nodes = this.#state.nodes.map((node) => {
      const process = this.#nodes.get(node.id)?.process;
      return process === undefined ? node : { ...node, pid: process.pid, startTime: process.startTime };
    });
    this.#state = { ...this.#state, nodes };
    writeState(this.#state, this.#options.home);
  }

  #unknown(id: number): Refused {
    return `no node ${id}. Nodes: ${[...this.#nodes.keys()].join(', ')}`;
  }
}

/** A fault as its start file holds it. */
function plain(fault: FaultSpec): StartFile['faults'][number] {
  const action = fault.action ?? { kind: '', target: '', durationMs: 0, error: 'NONE', laterMs: 0 };
  const where = fault.where.map(({ field, op, values }) => ({ field, op, values: [...values] }));
  const { id, point, nth, times, probability, ttlMs, owner } = fault;
  const { kind, target, durationMs, error, laterMs } = action;
  return {
    id,
    point,
    where,
    nth,
    times,
    probability,
    action: { kind, target, durationMs, error, laterMs },
    ttlMs,
    owner,
  };
}

/** The folder of each node of a new cluster. */
export function dataDirOf(dir: string, role: 'broker' | 'controller', id: number): string {
  return nodeFolder(dir, role, id);
}
