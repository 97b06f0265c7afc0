// A cluster of real cores behind real sockets, in this process: the simulator's brokers, its virtual time tied to the
// clock on the wall. Foreign clients can use it as they use processes; tests can kill brokers and let time jump.
import { CONTROLLER_ID, type DurationMs, type NodeId } from '../../src/base/units.ts';
import { startKafkaListener, type KafkaListener } from '../../src/kafka/listener.ts';
import type { WireRecorder } from '../../src/kafka/recorder.ts';
import { brokerDoor, fromOutside } from '../../src/main/broker-door.ts';
import { wireFaults } from '../../src/main/wire-faults.ts';
import type { BrokerApi } from '../../src/node/api.ts';
import type { RequestOf, ResponseOf, UnaryApi } from '../../src/protocol/apis.ts';
import { KAFKA_ENDPOINT, outsideEndpoint } from '../../src/protocol/listeners.ts';
import { Turns } from '../../src/runtime/real/turns.ts';
import type { Runtime } from '../../src/runtime/ports.ts';
import { SimCluster } from '../../src/sim/cluster.ts';
import { RawClient } from './raw-client.ts';

export interface RealClusterOptions {
  /** Default 1. */
  readonly brokers?: number;
  /** Settings of all nodes by Kafka's names, beside the "fast" timers and a small `__consumer_offsets`. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** Racks of the brokers. */
  readonly racks?: readonly string[];
  /** A second listener a broker, for clients outside the network of the nodes. */
  readonly outside?: boolean;
  readonly seed?: number;
  /** Records what clients of a broker ask and are told. */
  readonly record?: (id: NodeId, broker: BrokerApi) => WireRecorder;
}

export interface NewTopic {
  /** Default 1. */
  readonly partitions?: number;
  /** Default: as many as there are brokers, at most 3. */
  readonly replicas?: number;
  readonly configs?: Readonly<Record<string, string>>;
}

const HOST = '127.0.0.1';
/** Carries the administration of tests. */
const ADMIN: NodeId = 999;
const ADMIN_MS = 10_000;
/** Quick: a hop must not need a turn of the event loop of its own. */
const NETWORK = { link: { delayMinMs: 0.005, delayMaxMs: 0.02, slowChance: 0 } };
const DISK = { writeMinMs: 0.005, writeMaxMs: 0.02, syncMaxMs: 0.05, scanMaxMs: 0.02 };
const SMALL = { 'offsets.topic.num.partitions': 5, 'transaction.state.log.num.partitions': 5 };

/** One broker's way to the outside. Its ports outlive its processes. */
interface Door {
  turns: Turns;
  api: BrokerApi | undefined;
  listening: Promise<KafkaListener>[];
  /** Resolves when the ports of its last process are free again. */
  closed: Promise<unknown>;
  ports: number[];
}

export class RealCluster {
  readonly sim: SimCluster;
  /** What the listeners have logged, "level: message". */
  readonly logged: string[] = [];
  readonly #options: RealClusterOptions;
  readonly #doors = new Map<NodeId, Door>();
  readonly #clients: RawClient[] = [];
  readonly #conditions = new Set<() => void>();
  readonly #startedAt = performance.now();
  readonly #admin: Runtime;
  #skippedMs = 0;
  #running = false;
  #wake: NodeJS.Timeout | undefined;
  #closed = false;

  /** Starts one; resolves when every broker serves. */
  static async start(options: RealClusterOptions = {}): Promise<RealCluster> {
    const cluster = new RealCluster(options);
    for (const id of cluster.sim.brokerIds) await cluster.#listen(id);
    cluster.sim.startAll();
    await cluster.until(() => cluster.sim.ready);
    return cluster;
  }

  private constructor(options: RealClusterOptions) {
    this.#options = options;
    this.sim = new SimCluster({
      ...{ seed: options.seed ?? 1, brokers: options.brokers ?? 1, timers: 'fast', network: NETWORK, disk: DISK },
      config: { ...SMALL, ...options.config },
      racks: options.racks ?? [],
      wallStart: Date.now(),
      endpoints: (id) =>
        this.#doors.get(id)!.ports.map((port, i) => {
          return { name: i === 0 ? KAFKA_ENDPOINT : outsideEndpoint(KAFKA_ENDPOINT), host: HOST, port };
        }),
    });
    for (const id of this.sim.brokerIds) {
      this.#doors.set(id, { turns: held(), api: undefined, listening: [], closed: Promise.resolve(), ports: [] });
    }
    this.sim.onState((id, state) => this.#onState(id, state));
    this.#admin = this.sim.spawnClient(ADMIN, (runtime) => runtime);
  }

  /** Of all brokers' inside listeners, "host:port,host:port". */
  get bootstrap(): string {
    return this.sim.brokerIds.map((id) => `${HOST}:${this.port(id)}`).join(',');
  }

  port(id: NodeId, where: 'inside' | 'outside' = 'inside'): number {
    return this.#doors.get(id)!.ports[where === 'inside' ? 0 : 1]!;
  }

  /** A raw connection, closed with the cluster. */
  client(id: NodeId = 1, where: 'inside' | 'outside' = 'inside'): RawClient {
    const client = new RawClient(this.port(id, where));
    this.#clients.push(client);
    return client;
  }

  /** Creates a topic; resolves when its partitions have leaders that lead, and every broker knows of it. */
  async createTopic(name: string, { partitions = 1, replicas, configs = {} }: NewTopic = {}): Promise<string> {
    const topic = {
      ...{ name, numPartitions: partitions, assignments: [] },
      replicationFactor: replicas ?? Math.min(3, this.sim.brokerIds.length),
      configs: Object.entries(configs).map(([key, value]) => ({ name: key, value })),
    };
    const { topics } = await this.call(CONTROLLER_ID, 'CreateTopics', { topics: [topic], validateOnly: false });
    const created = topics[0]!;
    if (created.error !== 'NONE') throw new Error(`topic ${name}: ${created.error} ${created.errorMessage}`);
    await this.until(() => this.sim.isLed(name) && this.#known(name));
    return created.topicId;
  }

  /** Asks a node over the simulated network. */
  call<A extends UnaryApi>(to: NodeId, api: A, request: RequestOf<A>): Promise<ResponseOf<A>> {
    this.#catchUp();
    return new Promise((resolve, reject) => {
      this.#admin.network.request(to, api, request, ADMIN_MS, (outcome) => {
        if (outcome.kind === 'ok') resolve(outcome.response);
        else reject(new Error(`${api} to ${to}: ${outcome.kind}`));
      });
      this.#sleep();
    });
  }

  /** The broker that leads a partition; -1 if none does. */
  leaderOf(topic: string, partition: number): NodeId {
    return this.sim.controller?.controller.image.topicNamed(topic)?.partitions[partition]?.leader ?? -1;
  }

  /** Resolves when the condition holds, looked at whenever something has happened. The test's time limit ends it. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      this.#sleep();
      await new Promise<void>((resolve) => this.#conditions.add(resolve));
    }
  }

  /** Lets this much virtual time pass at once. */
  skip(ms: DurationMs): void {
    this.#skippedMs += ms;
    this.#catchUp();
    this.#sleep();
  }

  /** As kill -9: connections break, the port is closed. */
  kill(id: NodeId): void {
    this.sim.kill(id);
  }

  /** Starts a dead broker on the same ports; resolves when it serves. */
  async restart(id: NodeId): Promise<void> {
    this.#catchUp();
    this.sim.start(id);
    await Promise.all(this.#doors.get(id)!.listening);
    await this.until(() => this.sim.ready);
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#wake);
    for (const client of this.#clients) client.close();
    const listeners = await Promise.all([...this.#doors.values()].flatMap(({ listening }) => listening));
    await Promise.all(listeners.map((listener) => listener.close()));
  }

  #onState(id: NodeId, state: 'running' | 'paused' | 'down'): void {
    const door = this.#doors.get(id);
    if (door === undefined) return;
    if (state === 'paused') door.turns.hold();
    else if (state === 'down') this.#shut(door);
    else {
      door.api = this.sim.broker(id)!.api;
      if (door.listening.length === 0) void this.#listen(id);
      door.turns.resumeWith(() => undefined);
    }
  }

  #shut(door: Door): void {
    door.turns.stop();
    door.turns = held();
    const closing = Promise.all(door.listening.map(async (listening) => (await listening).close()));
    door.listening = [];
    door.closed = closing;
  }

  /** Opens the ports of a broker: free ones at first, the same ones later. */
  async #listen(id: NodeId): Promise<void> {
    const door = this.#doors.get(id)!;
    const { turns } = door;
    const api = brokerDoor(turns, () => {
      this.#catchUp();
      this.#sleep();
      return door.api!;
    });
    const each = this.#options.outside === true ? [api, fromOutside(api)] : [api];
    const { closed } = door;
    const listening = each.map(async (broker, i) => {
      await closed;
      return startKafkaListener({
        ...{ host: HOST, port: door.ports[i] ?? 0, broker, nodeId: id, config: this.sim.config },
        name: i === 0 ? 'inside' : 'outside',
        faults: wireFaults(turns, () => {
          this.#catchUp();
          this.#sleep();
          return this.sim.broker(id)?.engine;
        }),
        recorder: this.#options.record?.(id, api),
        clusterId: () => this.sim.broker(id)?.broker.clusterId ?? '',
        log: (level, message) => this.logged.push(`${level}: ${message}`),
      });
    });
    door.listening = listening;
    door.ports = (await Promise.all(listening)).map(({ port }) => port);
  }

  #known(topic: string): boolean {
    return this.sim.brokerIds.every((id) => {
      const broker = this.sim.broker(id);
      return broker === undefined || broker.api.topicId(topic) !== undefined;
    });
  }

  /** Runs the world up to the present. */
  #catchUp(): void {
    if (this.#running || this.#closed) return;
    this.#running = true;
    try {
      const dueMs = performance.now() - this.#startedAt + this.#skippedMs - this.sim.world.now;
      if (dueMs > 0) this.sim.world.runFor(dueMs);
    } finally {
      this.#running = false;
    }
  }

  /** Wakes when the next event of the world is due. */
  #sleep(): void {
    if (this.#closed) return;
    clearTimeout(this.#wake);
    const { nextAt } = this.sim.world.scheduler;
    const now = performance.now() - this.#startedAt + this.#skippedMs;
    const delayMs = nextAt === undefined ? 1000 : Math.max(0, nextAt / 1000 - now);
    this.#wake = setTimeout(() => {
      this.#catchUp();
      const resolves = [...this.#conditions];
      this.#conditions.clear();
      for (const resolve of resolves) resolve();
      this.#sleep();
    }, delayMs);
  }
}

/** A door that nothing passes until the broker runs. */
function held(): Turns {
  const turns = new Turns((error) => {
    throw error;
  });
  turns.hold();
  return turns;
}
