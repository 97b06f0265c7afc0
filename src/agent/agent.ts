// The agent of one host: starts, kills, pauses and resumes its nodes, and records how they ended. It decides nothing about
// Kafka and restarts nobody on its own (design section 1).
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { makeFolder } from './make-folder.ts';
import type { FaultAction, NodeStatus, OutsideOfNode } from '../protocol/generated/index.ts';
import type { Affliction } from './affliction.ts';
import { ClusterFaults, settingsIn, type Supervised } from './cluster-faults.ts';
import { writeState, type ClusterState, type NodeState } from './home.ts';
import { NODE_FILES, wipeStore } from './layout.ts';
import type { NodeLink, Refused } from './node-link.ts';
import { NodeProcess } from './node-process.ts';
import { lastFiring } from './node-traces.ts';
import { outsideOf, startFileFor } from './new-start-file.ts';
import { writeStartFile, type StartFile } from './start-file.ts';

export interface AgentOptions {
  readonly home: string;
  /** dist/node/main.js. */
  readonly program: string;
  /** Opens the calls to a running node. */
  readonly link: (node: NodeState, secret: string) => NodeLink;
  /** Safeguards that are off from the first start on. */
  readonly safeguardsOff?: readonly string[];
  /** Ids of the nodes that it supervises; absent: all of the cluster. */
  readonly own?: readonly number[];
  /** Carries out a fault's action on a node of another agent. */
  readonly others?: (action: FaultAction) => Promise<Refused>;
  /** What the cluster suffers on purpose has changed. */
  readonly onAffliction?: (now: Affliction) => void;
  /** Clients outside are told other addresses from now on. */
  readonly onAdvertise?: (nodes: readonly NodeState[]) => void;
  /** Where its nodes print: each to a file of its own, or all to where the agent does. */
  readonly nodesPrint?: 'to files' | 'with the agent';
}

/** How long a clean stop may take before SIGKILL. */
const STOP_GRACE_MS = 15_000;

export class Agent {
  #state: ClusterState;
  readonly #options: AgentOptions;
  readonly #nodes = new Map<number, Supervised>();
  /** What the cluster suffers on purpose. */
  readonly faults: ClusterFaults;
  #closing = false;

  constructor(state: ClusterState, options: AgentOptions) {
    this.#state = state;
    this.#options = options;
    const { own, onAffliction } = options;
    for (const node of state.nodes)
      if (own?.includes(node.id) !== false) this.#nodes.set(node.id, this.#supervise(node));
    this.faults = new ClusterFaults(this.#nodes, {
      link: (node) => options.link(node, state.secret),
      cluster: state.nodes.map(({ id }) => id),
      made: { timers: state.timers, config: state.config },
      ...(onAffliction === undefined ? {} : { onChange: onAffliction }),
    });
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

  /** Where clients outside find the nodes: what each of its own tells them when it starts. Too late for those that run. */
  advertise(places: readonly OutsideOfNode[]): Refused {
    const told = new Map(places.map(({ id, outside }) => [id, outside]));
    const missing = this.#state.nodes.find(({ id }) => !told.get(id));
    if (missing !== undefined) return `where is node ${missing.id}? All nodes need an address outside`;
    const nodes = this.#state.nodes.map((node) => ({ ...node, outside: told.get(node.id)! }));
    const changed = nodes.filter((node, index) => !isDeepStrictEqual(node, this.#state.nodes[index]));
    const late = changed.find(({ id }) => this.#nodes.get(id)?.process.alive);
    if (late !== undefined) return `node ${late.id} runs and tells clients another address; stop it first`;
    this.#state = { ...this.#state, nodes };
    for (const node of nodes) {
      const own = this.#nodes.get(node.id);
      if (own !== undefined) [own.state, own.start] = [node, { ...own.start, ...outsideOf(node) }];
    }
    this.#record();
    this.#options.onAdvertise?.(nodes);
    return '';
  }

  /** The event files of a node, or of all; none of a node that another agent supervises. */
  eventFiles(id: number): { readonly node: number; readonly path: string }[] {
    const nodes = [...this.#nodes.values()].filter(({ state }) => id === 0 || state.id === id);
    return nodes.map(({ state }) => ({ node: state.id, path: join(state.dataDir, NODE_FILES.events) }));
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
    const node = this.#running(id);
    if (typeof node === 'string') return node;
    const clean = await node.process.stop(cause, STOP_GRACE_MS);
    return clean ? '' : `node ${id} did not stop in order within ${STOP_GRACE_MS / 1000} s and was killed`;
  }

  async killNode(id: number, cause: string): Promise<Refused> {
    const node = this.#running(id);
    if (typeof node === 'string') return node;
    await node.process.kill(cause);
    return '';
  }

  pauseNode(id: number, cause: string): Refused {
    const node = this.#running(id);
    if (typeof node === 'string') return node;
    node.process.pause(cause);
    return '';
  }

  async resumeNode(id: number): Promise<Refused> {
    const node = this.#running(id);
    return typeof node === 'string' ? node : this.faults.resume(node);
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
    if (!this.#nodes.has(id) && this.#options.others !== undefined) return this.#options.others(action);
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
    makeFolder(node.dataDir);
    const startFile = join(node.dataDir, NODE_FILES.start);
    const process = new NodeProcess({
      ...{ id: node.id, role: node.role, dataDir: node.dataDir, startFile, program: this.#options.program },
      inheritsStderr: this.#options.nodesPrint === 'with the agent',
      onChange: () => this.#record(),
      elsewhere: (action) => this.#actElsewhere(action),
    });
    return {
      process,
      state: node,
      start: startFileFor(this.#state, node, this.#options.safeguardsOff ?? []),
      missed: [],
    };
  }

  async #launch(node: Supervised, once: Partial<Pick<StartFile, 'truncateTail' | 'wiped'>> = {}): Promise<void> {
    if (this.#closing) throw new Error('the cluster is being shut down');
    const file = join(node.state.dataDir, NODE_FILES.start);
    writeStartFile(file, { ...node.start, ...once });
    node.runsWith = settingsIn(node.start);
    await node.process.start();
    if (Object.keys(once).length > 0) writeStartFile(file, node.start); // A loss happens once.
  }

  #status(node: Supervised): NodeStatus {
    const { process, state } = node;
    const frozen = process.frozen;
    const firing = process.alive || process.cause !== '' ? undefined : lastFiring(state.dataDir);
    return {
      ...{ id: state.id, role: state.role, pid: process.pid, state: frozen ? 'paused' : process.state },
      ...{ exitCode: process.exitCode, exitSignal: process.exitSignal, cause: process.cause || (firing ?? '') },
      ...{ grpcPort: state.grpcPort, kafkaPort: state.kafkaPort, dataDir: state.dataDir, starts: process.starts },
      outdated: process.alive && !isDeepStrictEqual(node.runsWith, settingsIn(node.start)),
    };
  }

  /** Keeps pids in the state file, so that a later command can end what a dead agent left. */
  #record(): void {
    const nodes = this.#state.nodes.map((node) => {
      const process = this.#nodes.get(node.id)?.process;
      return process === undefined ? node : { ...node, pid: process.pid, startTime: process.startTime };
    });
    this.#state = { ...this.#state, nodes };
    try {
      writeState(this.#state, this.#options.home);
    } catch (error) {
      // A full disk is no reason to take the nodes down; they also end with the agent, recorded or not.
      process.stderr.write(`the state file cannot be written: ${(error as Error).message}\n`);
    }
  }

  #running(id: number): Supervised | Refused {
    const node = this.#nodes.get(id);
    if (node === undefined) return this.#unknown(id);
    return node.process.alive ? node : `node ${id} is not running`;
  }

  #unknown(id: number): Refused {
    return `no node ${id}. Nodes: ${[...this.#nodes.keys()].join(', ')}`;
  }
}
