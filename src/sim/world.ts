// A simulated world: nodes, a network and virtual time, in one thread and determined by one seed. It knows nothing of
// brokers: cluster.ts puts those in. Everything belongs to this object, so worlds in one process do not touch each other.
import { Prng } from '../base/prng.ts';
import type { DurationMs, EpochMs, InstantMs, NodeId } from '../base/units.ts';
import type { Safeguard } from '../fault/safeguards.ts';
import { DEFAULT_NETWORK, Fabric, type NetworkOptions } from './network/fabric.ts';
import { SimNode, type Decorate, type Program } from './node.ts';
import { Scheduler } from './scheduler.ts';
import { DEFAULT_LATENCY, type StoreLatency } from './store/store.ts';
import { TraceLog, type EventListener } from './trace-log.ts';

export interface WorldOptions {
  readonly seed: number | string;
  readonly network?: Partial<NetworkOptions>;
  readonly disk?: Partial<StoreLatency>;
  /** How events of one instant are ordered. Default 'seed'. */
  readonly ties?: 'seed' | 'insertion';
  /** Whether `traceHash` will be asked for. Default false: it costs time. */
  readonly hashed?: boolean;
  /** Wraps the Runtime of every process that is started. */
  readonly decorate?: Decorate;
  readonly wallStart?: EpochMs;
}

export interface RunOptions {
  /** Ends the run once it holds; looked at before the first event and after each. Absent: run for `maxMs`. */
  readonly until?: () => boolean;
  /** Ends the run after this much virtual time. */
  readonly maxMs: DurationMs;
}

/** 2024-01-01T00:00:00Z. Any fixed time will do. */
const WALL_START: EpochMs = 1_704_067_200_000;

export class World {
  readonly scheduler: Scheduler;
  readonly network: Fabric;
  readonly #seed: Prng;
  readonly #options: WorldOptions;
  readonly #trace: TraceLog;
  readonly #nodes = new Map<NodeId, SimNode>();
  readonly #safeguardsOff = new Set<Safeguard>();

  constructor(options: WorldOptions) {
    this.#options = options;
    this.#seed = new Prng(options.seed);
    this.scheduler = new Scheduler({ ties: options.ties === 'insertion' ? 'insertion' : this.#seed.fork('ties') });
    this.network = new Fabric(this.scheduler, this.#seed.fork('network'), { ...DEFAULT_NETWORK, ...options.network });
    this.#trace = new TraceLog({ hashed: options.hashed ?? false });
  }

  /** Virtual time since the world began, ms. */
  get now(): InstantMs {
    return this.scheduler.now / 1000;
  }

  /** Events of nodes so far. */
  get eventCount(): number {
    return this.#trace.count;
  }

  /** In order of first mention. */
  get nodes(): ReadonlyMap<NodeId, SimNode> {
    return this.#nodes;
  }

  /** A stream of randomness of its own, e.g. 'plan': no other stream and no safeguard shifts it. */
  random(name: string): Prng {
    return this.#seed.fork(name);
  }

  /** The node of this id; made, without a process, at its first mention. */
  node(id: NodeId): SimNode {
    let node = this.#nodes.get(id);
    if (node === undefined) {
      node = new SimNode(id, {
        ...{ scheduler: this.scheduler, fabric: this.network, trace: this.#trace },
        random: this.#seed.fork(`node ${id}`),
        latency: { ...DEFAULT_LATENCY, ...this.#options.disk },
        safeguard: (name) => !this.#safeguardsOff.has(name),
        decorate: this.#options.decorate ?? ((runtime) => runtime),
        wallStart: this.#options.wallStart ?? WALL_START,
      });
      this.#nodes.set(id, node);
    }
    return node;
  }

  /** Starts a process on a node and returns what its program made. */
  spawn<T>(id: NodeId, program: Program<T>): T {
    return this.node(id).start(program);
  }

  /** Switches a protection of the protocol, for all nodes. */
  setSafeguard(name: Safeguard, on: boolean): void {
    if (on) this.#safeguardsOff.delete(name);
    else this.#safeguardsOff.add(name);
  }

  /** Hears every event of every node, at once. */
  onEvent(listener: EventListener): void {
    this.#trace.listen(listener);
  }

  /** SHA-256 of all events so far; needs `hashed`. */
  traceHash(): string {
    return this.#trace.hash();
  }

  /** Runs events until the condition holds. False if `maxMs` have passed, or nothing is left to happen, before that. */
  run(options: RunOptions): boolean {
    const { until, maxMs } = options;
    const { scheduler } = this;
    const limit = scheduler.now + Math.round(maxMs * 1000);
    if (until === undefined) {
      while (scheduler.step(limit));
      scheduler.advanceTo(limit);
      return true;
    }
    while (!until()) {
      if (scheduler.step(limit)) continue;
      scheduler.advanceTo(limit);
      return until();
    }
    return true;
  }

  /** Lets this much virtual time pass. */
  runFor(ms: DurationMs): void {
    this.run({ maxMs: ms });
  }
}
