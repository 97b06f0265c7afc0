// The cluster of a run as real processes: nodes at the hands of somebody who has them, clients as processes of this machine.
// What it tells of a node's death comes behind what the node wrote.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeFolder } from '../../agent/make-folder.ts';
import type { NodeId, TopicPartition } from '../../base/units.ts';
import type { Safeguard } from '../../fault/safeguards.ts';
import type { RequestOf, ResponseOf, UnaryApi } from '../../protocol/apis.ts';
import type { FaultSpec, FaultStatus } from '../../protocol/generated/index.ts';
import type { Stamped } from '../../trace/events.ts';
import type { ClientCommand, ClientSpec } from '../../workload/spec.ts';
import type { ClusterDriver, ClusterSetup, Done, DriverEvents, ElectionRequest } from '../driver.ts';
import { isWireEvent } from '../recorded/wire-history.ts';
import { Clients } from './clients.ts';
import { ClusterCalls } from './cluster-calls.ts';
import type { Hands } from './hands.ts';
import { LineOrder, machineUs } from './line-order.ts';

export interface ProcessDriverOptions {
  readonly hands: Hands;
  /** Files of the clients go there; it must be new or empty. */
  readonly dir: string;
  /** dist/client/main.js. */
  readonly client: string;
  /** A node or client is gone, by this signal if by one: as the agent saw it. Told behind everything that it wrote. */
  readonly onExit?: (node: NodeId, signal: string) => void;
}

/** A look at all event files takes place within this time. */
const LOOK_MS = 5;
const READY_WITHIN_MS = 30_000;
const GONE_WITHIN_MS = 10_000;

export class ProcessDriver implements ClusterDriver {
  readonly #options: ProcessDriverOptions;
  readonly #hands: Hands;
  readonly #began = performance.now();
  #calls: ClusterCalls | undefined;
  #clients: Clients | undefined;
  #on: DriverEvents | undefined;
  /** What brokers record of the wire, in the order of time. Each waits until every event file has been looked at. */
  readonly #wire = new LineOrder({ nowUs: machineUs, afterReading: (run) => void setTimeout(run, 3 * LOOK_MS) });

  constructor(options: ProcessDriverOptions) {
    this.#options = options;
    this.#hands = options.hands;
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
    settle(this.#hands.arm(fault), done);
  }

  disarm(fault: string, done: Done): void {
    this.#clients?.disarm(fault);
    settle(this.#hands.disarm(fault), () => done()); // Not armed is as good as removed.
  }

  release(fault: string, done: Done): void {
    this.#clients?.release(fault);
    settle(this.#hands.release(fault), done);
  }

  faults(done: (faults: readonly FaultStatus[]) => void): void {
    this.#hands.faults().then(done, () => done([]));
  }

  setLink(from: NodeId, to: NodeId, cut: boolean, done: Done): void {
    if (this.#isClient(from)) {
      this.#clients?.setLink(from, to, cut);
      setImmediate(done);
    } else settle(this.#hands.setLink(from, to, cut), done);
  }

  setSafeguard(name: Safeguard, on: boolean, done: Done): void {
    this.#clients?.setSafeguard(name, on);
    settle(this.#hands.setSafeguard(name, on), done);
  }

  kill(node: NodeId, cause: string, done: Done): void {
    if (!this.#isClient(node)) return settle(this.#hands.kill(node, cause), done);
    this.#clients?.kill(node);
    void until(() => this.#clients?.isAlive(node) !== true, GONE_WITHIN_MS).then(() => done());
  }

  pause(node: NodeId, cause: string, done: Done): void {
    if (this.#isClient(node)) this.#clients?.pause(node);
    settle(this.#isClient(node) ? Promise.resolve('') : this.#hands.pause(node, cause), done);
  }

  resume(node: NodeId, done: Done): void {
    if (this.#isClient(node)) this.#clients?.resume(node);
    settle(this.#isClient(node) ? Promise.resolve('') : this.#hands.resume(node), done);
  }

  stopNode(node: NodeId, cause: string, done: Done): void {
    settle(this.#hands.stop(node, cause), done);
  }

  startNode(node: NodeId, how: { readonly wipe: boolean; readonly truncateTail: number }, done: Done): void {
    settle(this.#hands.start(node, how), done);
  }

  elect(request: ElectionRequest, done: Done): void {
    this.#calls?.elect(request, done);
  }

  reassign(of: TopicPartition, replicas: readonly NodeId[] | null, done: Done): void {
    this.#calls?.reassign(of, replicas, done);
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
    if (this.#hands.stateOf(node) === 'running') this.#calls?.ask(node, api, request, done);
    else setImmediate(() => done(undefined));
  }

  #heard(stamped: Stamped): void {
    if (isWireEvent(stamped.event)) this.#wire.add(stamped.event.atUs, () => this.#on?.event(stamped));
    else this.#on?.event(stamped);
  }

  #isClient(node: NodeId): boolean {
    return this.#clients?.has(node) === true;
  }

  async #start(setup: ClusterSetup, on: DriverEvents): Promise<void> {
    const { hands, dir, client, onExit } = this.#options;
    const { cluster, safeguardsOff, topics } = setup;
    this.#on = on;
    const state = await hands.open(setup, {
      event: (stamped) => this.#heard(stamped),
      state: (node, change) => this.#on?.state(node, change),
      exited: (node, signal) => onExit?.(node, signal),
    });
    this.#calls = new ClusterCalls(state);
    const clients = join(dir, 'clients');
    makeFolder(clients);
    this.#clients = new Clients(
      {
        ...{ program: client, dir: clients, cluster: { ...state, timers: cluster.timers } },
        ...(cluster.config['kafka.record'] === undefined ? {} : { order: this.#wire }),
        report: (id, report) => on.client(id, report),
        event: (stamped) => on.event(stamped),
        state: (node, change) => on.state(node, change),
        exited: (id, node, signal) => {
          onExit?.(node, signal);
          on.clientExited(id);
        },
      },
      safeguardsOff,
    );
    const calls = this.#calls;
    await untilReady(() => calls.ready(cluster.brokers, []), 'the brokers did not become ready');
    await calls.createTopics(topics);
    await untilReady(() => calls.ready(cluster.brokers, topics), 'the topics did not get leaders');
  }

  async #stop(): Promise<void> {
    this.#clients?.killAll();
    await until(() => this.#clients?.anyAlive !== true, GONE_WITHIN_MS);
    await this.#hands.close();
    this.#on = undefined;
    this.#calls?.close();
  }
}

async function untilReady(ready: () => Promise<boolean>, problem: string): Promise<void> {
  const end = performance.now() + READY_WITHIN_MS;
  while (!(await ready())) {
    if (performance.now() > end) throw new Error(`${problem} within ${READY_WITHIN_MS / 1000} s`);
    await sleep(20);
  }
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
