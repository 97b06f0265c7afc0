// The cluster of a run as real processes on this machine: an agent in this process, nodes and clients in their own. One
// loop looks at event files and process states; a node's events are told before its death is.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from '../../agent/make-folder.ts';
import type { Agent } from '../../agent/agent.ts';
import { clusterFolder } from '../../agent/home.ts';
import { NODE_FILES } from '../../agent/layout.ts';
import { layOut } from '../../agent/new-cluster.ts';
import { runAgent, type RunningAgent } from '../../agent/run-agent.ts';
import type { NodeId } from '../../base/units.ts';
import type { Safeguard } from '../../fault/safeguards.ts';
import type { RequestOf, ResponseOf, UnaryApi } from '../../protocol/apis.ts';
import type { FaultSpec, FaultStatus } from '../../protocol/generated/index.ts';
import type { ClientCommand, ClientSpec } from '../../workload/spec.ts';
import type { ClusterDriver, ClusterSetup, Done, DriverEvents, ElectionRequest, NodeState } from '../driver.ts';
import { Clients } from './clients.ts';
import { ClusterCalls } from './cluster-calls.ts';
import { EventReader } from './event-reader.ts';

export interface ProcessDriverOptions {
  /** Name of the cluster, for `highwater down` should this process die. */
  readonly name: string;
  readonly home: string;
  /** Everything of this run goes there; it must be new or empty. */
  readonly dir: string;
  readonly programs: { readonly node: string; readonly client: string };
  /** A node or client is gone, by this signal if by one: as the agent saw it. Told behind everything that it wrote. */
  readonly onExit?: (node: NodeId, signal: string) => void;
}

interface Watched {
  readonly id: NodeId;
  readonly reader: EventReader;
  state: NodeState;
}

const READY_WITHIN_MS = 30_000;
const LOOK_MS = 5;
const GONE_WITHIN_MS = 10_000;

export class ProcessDriver implements ClusterDriver {
  readonly #options: ProcessDriverOptions;
  readonly #began = performance.now();
  #running: RunningAgent | undefined;
  #calls: ClusterCalls | undefined;
  #clients: Clients | undefined;
  #on: DriverEvents | undefined;
  #watched: readonly Watched[] = [];
  #looking: NodeJS.Timeout | undefined;

  constructor(options: ProcessDriverOptions) {
    this.#options = options;
  }

  now(): number {
    return performance.now() - this.#began;
  }

  after(delayMs: number, run: () => void): { cancel(): void } {
    const timer = setTimeout(run, delayMs);
    return { cancel: () => clearTimeout(timer) };
  }

  start(setup: ClusterSetup, on: DriverEvents, done: Done): void {
    this.#start(setup, on).then(
      () => done(),
      (error: Error) => done(error.message),
    );
  }

  stop(done: () => void): void {
    void this.#stop().then(done);
  }

  arm(fault: FaultSpec, done: Done): void {
    this.#clients?.arm(fault);
    settle(this.#agent.faults.arm(fault), done);
  }

  disarm(fault: string, done: Done): void {
    this.#clients?.disarm(fault);
    settle(this.#agent.faults.disarm(fault), () => done()); // Not armed is as good as removed.
  }

  release(fault: string, done: Done): void {
    this.#clients?.release(fault);
    settle(this.#agent.faults.release(fault), done);
  }

  faults(done: (faults: readonly FaultStatus[]) => void): void {
    this.#agent.faults.list().then(
      ({ faults }) => done(faults),
      () => done([]),
    );
  }

  setLink(from: NodeId, to: NodeId, cut: boolean, done: Done): void {
    if (this.#isClient(from)) {
      this.#clients?.setLink(from, to, cut);
      setImmediate(done);
    } else settle(this.#agent.faults.setLink(from, to, cut), done);
  }

  setSafeguard(name: Safeguard, on: boolean, done: Done): void {
    this.#clients?.setSafeguard(name, on);
    settle(this.#agent.faults.setSafeguard(name, on), done);
  }

  kill(node: NodeId, cause: string, done: Done): void {
    if (!this.#isClient(node)) return settle(this.#agent.killNode(node, cause), () => done());
    this.#clients?.kill(node);
    void until(() => this.#clients?.isAlive(node) !== true, GONE_WITHIN_MS).then(() => done());
  }

  pause(node: NodeId, cause: string, done: Done): void {
    if (this.#isClient(node)) this.#clients?.pause(node);
    settle(this.#isClient(node) ? Promise.resolve('') : Promise.resolve(this.#agent.pauseNode(node, cause)), done);
  }

  resume(node: NodeId, done: Done): void {
    if (this.#isClient(node)) this.#clients?.resume(node);
    settle(this.#isClient(node) ? Promise.resolve('') : Promise.resolve(this.#agent.resumeNode(node)), done);
  }

  stopNode(node: NodeId, cause: string, done: Done): void {
    settle(this.#agent.stopNode(node, cause), done);
  }

  startNode(node: NodeId, how: { readonly wipe: boolean; readonly truncateTail: number }, done: Done): void {
    settle(this.#agent.startNode(node, how), done);
  }

  elect(request: ElectionRequest, done: Done): void {
    this.#calls?.elect(request, done);
  }

  deleteTopic(name: string, done: Done): void {
    this.#calls?.deleteTopic(name, done);
  }

  startClient(spec: ClientSpec, done: Done): void {
    this.#clients?.start(spec);
    setImmediate(done);
  }

  tellClient(id: string, command: ClientCommand): void {
    this.#clients?.command(id, command);
  }

  clientNode(id: string): NodeId | undefined {
    return this.#clients?.node(id);
  }

  ask<A extends UnaryApi>(
    node: NodeId,
    api: A,
    request: RequestOf<A>,
    done: (response: ResponseOf<A> | undefined) => void,
  ): void {
    const state = this.#watched.find(({ id }) => id === node)?.state;
    if (state === 'running') this.#calls?.ask(node, api, request, done);
    else setImmediate(() => done(undefined));
  }

  get #agent(): Agent {
    if (this.#running === undefined) throw new Error('the cluster of this driver was not started');
    return this.#running.agent;
  }

  #isClient(node: NodeId): boolean {
    return this.#clients?.has(node) === true;
  }

  async #start(setup: ClusterSetup, on: DriverEvents): Promise<void> {
    const { name, home, dir, programs } = this.#options;
    const { brokers, timers } = setup.cluster;
    const config = Object.fromEntries(Object.entries(setup.cluster.config).map(([key, value]) => [key, String(value)]));
    const plan = { name, home, brokers, dir: join(dir, 'data'), timers, host: '127.0.0.1', portBase: 0, config };
    const laidOut = await layOut(plan);
    const { safeguardsOff } = setup;
    this.#running = await runAgent(laidOut, { home, program: programs.node, safeguardsOff });
    const { state } = this.#running.agent;
    this.#on = on;
    this.#calls = new ClusterCalls(state);
    const clients = join(dir, 'clients');
    makeFolder(clients);
    this.#clients = new Clients(
      {
        ...{ program: programs.client, dir: clients, cluster: state },
        report: (id, report) => on.client(id, report),
        event: (stamped) => on.event(stamped),
        state: (node, change) => on.state(node, change),
        exited: (id, node, signal) => {
          this.#options.onExit?.(node, signal);
          on.clientExited(id);
        },
      },
      safeguardsOff,
    );
    this.#watched = state.nodes.map(({ id, dataDir }) => {
      return { id, reader: new EventReader(join(dataDir, NODE_FILES.events)), state: 'down' };
    });
    this.#look();
    await this.#untilReady(() => this.#calls!.ready(brokers, []), 'the brokers did not become ready');
    await this.#calls.createTopics(setup.topics);
    await this.#untilReady(() => this.#calls!.ready(brokers, setup.topics), 'the topics did not get leaders');
  }

  async #untilReady(ready: () => Promise<boolean>, problem: string): Promise<void> {
    const end = performance.now() + READY_WITHIN_MS;
    while (!(await ready())) {
      if (performance.now() > end) throw new Error(`${problem} within ${READY_WITHIN_MS / 1000} s`);
      await sleep(20);
    }
  }

  async #stop(): Promise<void> {
    this.#clients?.killAll();
    const nodes = this.#running?.agent.list() ?? [];
    await Promise.all(nodes.map(({ id }) => this.#running?.agent.killNode(id, 'the run is over')));
    await until(() => this.#clients?.anyAlive !== true, GONE_WITHIN_MS);
    clearTimeout(this.#looking);
    this.#lookOnce();
    this.#on = undefined;
    this.#calls?.close();
    await this.#running?.close(0);
    rmSync(clusterFolder(this.#options.name, this.#options.home), { recursive: true, force: true });
  }

  /** Again and again, until `stop`. */
  #look(): void {
    this.#lookOnce();
    this.#looking = setTimeout(() => this.#look(), LOOK_MS);
  }

  #lookOnce(): void {
    const statuses = new Map(this.#agent.list().map((status) => [status.id, status]));
    for (const node of this.#watched) {
      const status = statuses.get(node.id);
      const state = status === undefined ? 'down' : stateOf(status.pid, status.state);
      for (const stamped of node.reader.read()) this.#on?.event(stamped);
      if (state === node.state) continue;
      node.state = state;
      if (state === 'down') {
        node.reader.forgetTornLine();
        this.#options.onExit?.(node.id, status?.exitSignal ?? '');
      }
      this.#on?.state(node.id, state);
    }
  }
}

function stateOf(pid: number, state: string): NodeState {
  if (pid === 0) return 'down';
  return state === 'paused' ? 'paused' : 'running';
}

/** Passes a refusal on; a failure is one. */
function settle(act: Promise<string>, done: Done): void {
  act.then(
    (refused) => (refused === '' ? done() : done(refused)),
    (error: Error) => done(error.message),
  );
}

async function until(holds: () => boolean, withinMs: number): Promise<void> {
  const end = performance.now() + withinMs;
  while (!holds() && performance.now() < end) await sleep(5);
}
