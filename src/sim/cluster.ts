// A whole cluster in the simulated world: a controller, brokers and clients, the same cores as in processes. It plays the
// agent's part too: it starts, kills and pauses nodes and keeps armed faults, cut links and safeguards over their restarts.
import { CONTROLLER_ID, type DurationMs, type NodeId, type TopicPartition } from '../base/units.ts';
import type { FaultEffects, Firing } from '../fault/effects.ts';
import { addStatus, emptyStatus } from '../fault/sum-status.ts';
import { parseSelector, resolveSelector, type ClusterView } from '../fault/selectors.ts';
import type { Safeguard } from '../fault/safeguards.ts';
import { createBrokerHost, type BrokerHost } from '../host/broker-host.ts';
import { createControllerHost, type ControllerHost } from '../host/controller-host.ts';
import { furnish, type FaultControls } from '../host/furnish.ts';
import { nodeConfig, rackOf, type NodeConfig, type TimerProfile } from '../protocol/config.ts';
import type { Endpoint, FaultAction, FaultSpec, FaultStatus } from '../protocol/generated/index.ts';
import { GRPC_ENDPOINT } from '../protocol/listeners.ts';
import type { Runtime } from '../runtime/ports.ts';
import { World, type WorldOptions } from './world.ts';

export interface SimClusterOptions extends WorldOptions {
  readonly brokers: number;
  readonly timers?: TimerProfile;
  /** Settings of all nodes, by Kafka's names. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly safeguardsOff?: readonly string[];
  /** Hears of every safeguard that a node asks whether it is on. */
  readonly onSafeguard?: (name: Safeguard) => void;
  /** Racks of the brokers in order, round and round if there are fewer. Default: none. */
  readonly racks?: readonly string[];
  /** What a broker tells of itself besides its REPLICATION endpoint. Default: nothing. */
  readonly endpoints?: (id: NodeId) => readonly Endpoint[];
}

/** How a node is started. */
export interface StartOptions {
  /** With an empty disk. */
  readonly wipe?: boolean;
  /** Emulated power loss: batches to drop from the unflushed end of each partition; -1 all, 0 none. */
  readonly truncateTail?: number;
}

/** Hears that a node's process started, froze, went on or ended. */
export type StateListener = (id: NodeId, state: 'running' | 'paused' | 'down') => void;

/** An action on another target takes this long to get there, as through an agent. */
const ELSEWHERE_MS = 1;

export class SimCluster {
  readonly world: World;
  readonly config: NodeConfig;
  readonly timers: TimerProfile;
  readonly brokerIds: readonly NodeId[];
  readonly #hosts = new Map<NodeId, BrokerHost | ControllerHost | FaultControls>();
  readonly #faults = new Map<string, FaultSpec>();
  readonly #cuts = new Map<NodeId, Set<NodeId>>();
  readonly #safeguardsOff: Set<string>;
  readonly #below: (bound: number) => number;
  readonly #racks: readonly string[];
  readonly #endpoints: (id: NodeId) => readonly Endpoint[];
  readonly #onSafeguard: ((name: Safeguard) => void) | undefined;
  #onState: StateListener = () => undefined;

  constructor(options: SimClusterOptions) {
    this.world = new World(options);
    this.timers = options.timers ?? 'fast';
    this.config = nodeConfig(options.config ?? {}, this.timers);
    this.#racks = options.racks ?? [];
    this.#endpoints = options.endpoints ?? (() => []);
    this.#onSafeguard = options.onSafeguard;
    this.brokerIds = Array.from({ length: options.brokers }, (_, index) => index + 1);
    this.#safeguardsOff = new Set(options.safeguardsOff ?? []);
    for (const name of this.#safeguardsOff) this.world.setSafeguard(name as Safeguard, false);
    const random = this.world.random('selectors');
    this.#below = (bound) => random.below(bound);
    // A node that halts ends itself; nobody else says so.
    this.world.onEvent(({ node, event }) => {
      if (event.type === 'node.halted') this.#onState(node, 'down');
    });
  }

  /** One listener hears every change of a node's process. */
  onState(listener: StateListener): void {
    this.#onState = listener;
  }

  /** Whether every partition of a topic has a leader that leads. */
  isLed(topic: string): boolean {
    const partitions = this.controller?.controller.image.topicNamed(topic)?.partitions ?? [];
    return partitions.length > 0 && partitions.every(({ leader, partition }) => this.#leads(leader, topic, partition));
  }

  #leads(id: NodeId, topic: string, partition: number): boolean {
    let leads = false;
    const asked = { topic, partition, fromOffset: -1, maxBatches: 0 };
    this.broker(id)?.api.describeReplicas(asked, ({ replicas }) => (leads = replicas[0]?.role === 'leader'));
    return leads;
  }

  /** Armed faults, counts summed over running nodes. */
  faultStatuses(): FaultStatus[] {
    const sums = new Map<string, FaultStatus>();
    for (const fault of this.#faults.values()) sums.set(fault.id, emptyStatus(fault));
    for (const host of this.#running()) {
      for (const status of host.engine.list()) {
        const sum = sums.get(status.fault?.id ?? '');
        if (sum !== undefined) addStatus(sum, status);
      }
    }
    return [...sums.values()];
  }

  /** The running controller; undefined while it is dead. */
  get controller(): ControllerHost | undefined {
    return this.#host(CONTROLLER_ID) as ControllerHost | undefined;
  }

  /** A running broker; undefined while it is dead. */
  broker(id: NodeId): BrokerHost | undefined {
    return this.#host(id) as BrokerHost | undefined;
  }

  /** Starts the controller and every broker. */
  startAll(): void {
    for (const id of [CONTROLLER_ID, ...this.brokerIds]) this.start(id);
  }

  /** Whether every broker is unfenced. */
  get ready(): boolean {
    const brokers = this.controller?.controller.image.brokers;
    return this.brokerIds.every((id) => brokers?.get(id)?.fenced === false);
  }

  start(id: NodeId, how: StartOptions = {}): void {
    const node = this.world.node(id);
    if (node.state !== 'down') return;
    if (how.wipe === true) node.wipe();
    const host = node.start((bare) => this.#make(id, bare, how));
    this.#hosts.set(id, host);
    this.#onState(id, 'running');
    node.guard(() => {
      if ('controller' in host) host.start(() => undefined);
      else host.start();
    });
  }

  /** Puts a client (ids from 1001) into the world. Its messages can be struck like any others. */
  spawnClient<T>(id: NodeId, program: (runtime: Runtime) => T): T {
    return this.world.spawn(id, (bare) => {
      const furnished = furnish(bare, this.#effects(id, bare), this.#settings(id), () => undefined);
      this.#hosts.set(id, furnished);
      return program(furnished.runtime);
    });
  }

  kill(id: NodeId): void {
    const node = this.world.node(id);
    if (node.state === 'down') return;
    node.kill();
    this.#hosts.delete(id);
    this.#onState(id, 'down');
  }

  pause(id: NodeId): void {
    const node = this.world.node(id);
    if (node.state !== 'running') return;
    node.pause();
    this.#onState(id, 'paused');
  }

  resume(id: NodeId): void {
    const node = this.world.node(id);
    if (node.state !== 'paused') return;
    node.resume();
    this.#onState(id, 'running');
  }

  /** Clean stop: controlled shutdown, then the process ends. */
  stop(id: NodeId, stopped: () => void = () => undefined): void {
    const host = this.#host(id);
    const end = (): void => {
      this.kill(id);
      stopped();
    };
    if (host === undefined) stopped();
    else if ('broker' in host) host.shutDown(end);
    else if ('controller' in host) host.stop(end);
    else end();
  }

  /** Arms on every running node; nodes that start later have it too. Answers why not, or "". */
  arm(fault: FaultSpec): string {
    for (const host of this.#running()) {
      const refused = host.engine.arm(fault);
      if (refused !== '') return refused;
    }
    this.#faults.set(fault.id, fault);
    return '';
  }

  disarm(id: string): void {
    if (id === '*') this.#faults.clear();
    else this.#faults.delete(id);
    this.#eachRunning((host) => host.engine.disarm(id));
  }

  release(id: string): void {
    this.#eachRunning((host) => host.engine.release(id));
  }

  /** Cuts or mends what `from` sends to `to`. */
  setLink(from: NodeId, to: NodeId, cut: boolean): void {
    const cuts = this.#cuts.get(from) ?? new Set<NodeId>();
    this.#cuts.set(from, cuts);
    if (cut) cuts.add(to);
    else cuts.delete(to);
    this.#host(from)?.engine.setLink(to, cut);
  }

  setSafeguard(name: Safeguard, on: boolean): void {
    if (on) this.#safeguardsOff.delete(name);
    else this.#safeguardsOff.add(name);
    for (const host of this.#running()) host.safeguards.set(name, on);
  }

  /** Removes all faults, mends all links, resumes the paused and, if asked, starts the dead. */
  heal(startDead: boolean): void {
    this.disarm('*');
    for (const [from, cuts] of this.#cuts) for (const to of [...cuts]) this.setLink(from, to, false);
    for (const id of this.world.nodes.keys()) this.resume(id);
    if (startDead) for (const id of [CONTROLLER_ID, ...this.brokerIds]) this.start(id);
  }

  /** The nodes a selector stands for now; a string says why there is none. */
  resolve(selector: string): readonly NodeId[] | string {
    const parsed = parseSelector(selector);
    return typeof parsed === 'string' ? parsed : resolveSelector(parsed, this.view);
  }

  /** The cluster as the controller, or the broker that knows most, has it. */
  get view(): ClusterView {
    const images = [this.controller?.controller.image, ...this.brokerIds.map((id) => this.broker(id)?.broker.image)];
    return {
      controller: CONTROLLER_ID,
      brokers: this.brokerIds,
      partition: ({ topic, partition }: TopicPartition) => {
        for (const image of images) {
          const found = image?.topicNamed(topic)?.partitions[partition];
          if (found !== undefined) return found;
        }
        return undefined;
      },
      partitionCount: (topic) =>
        images.map((image) => image?.topicNamed(topic)?.partitions.length ?? 0).find((count) => count > 0) ?? 0,
      below: this.#below,
    };
  }

  #host(id: NodeId): BrokerHost | ControllerHost | FaultControls | undefined {
    return this.world.node(id).state === 'down' ? undefined : this.#hosts.get(id);
  }

  #running(): FaultControls[] {
    return [...this.#hosts].filter(([id]) => this.world.node(id).state !== 'down').map(([, host]) => host);
  }

  /** What is let go goes on at once: in its own process. */
  #eachRunning(run: (host: FaultControls) => void): void {
    for (const [id, host] of [...this.#hosts]) this.world.node(id).guard(() => run(host));
  }

  #settings(id: NodeId) {
    return {
      faults: [...this.#faults.values()],
      cutTo: [...(this.#cuts.get(id) ?? [])],
      safeguardsOff: [...this.#safeguardsOff],
      ...(this.#onSafeguard === undefined ? {} : { onSafeguard: this.#onSafeguard }),
    };
  }

  #make(id: NodeId, bare: Runtime, how: StartOptions): BrokerHost | ControllerHost {
    const { config } = this;
    const common = { config, effects: this.#effects(id, bare), settings: this.#settings(id) };
    if (id === CONTROLLER_ID) return createControllerHost(bare, common);
    const endpoints = [{ name: GRPC_ENDPOINT, host: `broker-${id}`, port: 9000 + id }, ...this.#endpoints(id)];
    const losses = { truncateTail: how.truncateTail ?? 0, wiped: how.wipe === true };
    const ofBroker = { ...config, 'broker.rack': rackOf(this.#racks, id) };
    return createBrokerHost(bare, { ...common, config: ofBroker, id, endpoints, ...losses });
  }

  #effects(id: NodeId, bare: Runtime): FaultEffects {
    const fired = ({ fault, point, action, fields }: Firing): void =>
      bare.trace({ type: 'fault.fired', fault, point, action, fields });
    return {
      kill: (firing) => {
        fired(firing);
        this.kill(id);
      },
      pause: (firing, durationMs, resumed) => {
        fired(firing);
        this.pause(id);
        bare.clock.after(0, resumed); // Delivered once the process runs again.
        if (durationMs > 0) this.#later(durationMs, () => this.resume(id));
      },
      elsewhere: (_firing, action, done) => this.#later(ELSEWHERE_MS, () => done(this.#actElsewhere(action))),
    };
  }

  /** In the world's own time: no process's death or pause stops it. */
  #later(delayMs: DurationMs, run: () => void): void {
    this.world.scheduler.after(Math.ceil(delayMs * 1000), run);
  }

  /** Answers why not, or undefined. */
  #actElsewhere(action: FaultAction): string | undefined {
    const nodes = this.resolve(action.target);
    if (typeof nodes === 'string') return nodes;
    for (const id of nodes) {
      if (action.kind === 'kill') this.kill(id);
      else if (action.kind === 'pause') this.pause(id);
      else if (action.kind === 'resume') this.resume(id);
      else if (action.kind === 'start') this.start(id);
      else if (action.kind === 'stop') this.stop(id);
      else return `${action.kind} cannot be aimed from a point`;
    }
    return undefined;
  }
}
