// Keeps a client's metadata fresh: one Metadata request at a time, to any broker that seems well, with backoff between
// them, at once when someone found it stale and in any case every metadata.max.age.ms. What an answer means is the cache's.
import { assert } from '../../base/assert.ts';
import type { DurationMs, InstantMs, LeaderEpoch, NodeId } from '../../base/units.ts';
import type { ResponseOf } from '../../protocol/apis.ts';
import type { Outcome, Random, Runtime, Timer } from '../../runtime/ports.ts';
import { backoffMs } from './backoff.ts';
import type { ClientConfig } from './config.ts';
import { MetadataCache, type KnownBroker, type PartitionMetadata, type TopicMetadata } from './metadata-cache.ts';

/** Who may be asked when nothing is known yet: ids that the host has told the network how to reach. */
export type BootstrapNodes = readonly NodeId[];

export class ClientMetadata {
  readonly #runtime: Runtime;
  readonly #config: ClientConfig;
  readonly #bootstrap: BootstrapNodes;
  readonly #random: Random;
  readonly #cache = new MetadataCache();
  readonly #tracked = new Set<string>();
  readonly #listeners = new Set<() => void>();
  readonly #waiters = new Set<() => void>();
  /** When a request to a node last failed. */
  readonly #failedAt = new Map<NodeId, InstantMs>();
  readonly #addresses = new Map<NodeId, string>();
  #rotation: number;
  #wanted = false;
  /** A topic was added that nobody has asked for yet: no backoff. */
  #urgent = false;
  #underWay = false;
  #timer: Timer | undefined;
  #timerIsForAge = false;
  #notBefore: InstantMs = 0;
  /** Refreshes in a row that failed, or that told nothing new. */
  #fruitless = 0;
  #lastFailure: string | undefined;
  #closed = false;

  constructor(runtime: Runtime, config: ClientConfig, bootstrap: BootstrapNodes) {
    assert(bootstrap.length > 0, 'a client needs at least one bootstrap node');
    this.#runtime = runtime;
    this.#config = config;
    this.#bootstrap = bootstrap;
    this.#random = runtime.random.fork('client.metadata');
    this.#rotation = this.#random.below(1 << 20);
  }

  /** The topic as last answered; undefined if it never was. */
  topic(name: string): TopicMetadata | undefined {
    return this.#cache.topic(name);
  }

  partition(topic: string, partition: number): PartitionMetadata | undefined {
    return this.#cache.partition(topic, partition);
  }

  /** Live brokers as last answered, by id. */
  get brokers(): readonly KnownBroker[] {
    return this.#cache.brokers;
  }

  /** Finalized level of the feature transaction.version (txn T-191); undefined before a broker has answered. */
  get transactionVersion(): number | undefined {
    return this.#cache.transactionVersion;
  }

  /** Why the last refresh failed, as a sentence; undefined if it did not. */
  get lastFailure(): string | undefined {
    return this.#lastFailure;
  }

  /** Includes a topic in all refreshes from now on, and asks for it if it is new. */
  track(topic: string): void {
    if (this.#tracked.has(topic)) return;
    this.#tracked.add(topic);
    this.#urgent = true;
    this.#want();
  }

  /** What is known may be stale: refresh as soon as the backoff allows. A refresh under way serves. */
  requestUpdate(): void {
    if (!this.#underWay) this.#want();
  }

  /** A broker named the leader in an error (repl R-33); -1 if it did not. */
  hint(topic: string, partition: number, leader: NodeId, leaderEpoch: LeaderEpoch): void {
    if (this.#cache.hint(topic, partition, leader, leaderEpoch)) this.#notify();
  }

  /** Whether the newest answer names this broker among those that live. */
  isLive(node: NodeId): boolean {
    return this.#cache.brokers.some((broker) => broker.node === node);
  }

  /** A request to `node` was not answered: prefer others for a while. */
  nodeFailed(node: NodeId): void {
    this.#failedAt.set(node, this.#runtime.clock.now());
  }

  /** Calls `listener` after every refresh that was answered and every hint that was news. Returns how to stop it. */
  onUpdate(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Calls `done(true)` once `ready` holds, looked at now and after every update, or `done(false)` after `timeoutMs`; never
   * inside the call. Metadata is refreshed until then. Returns how to stop waiting; `done` is not called then.
   */
  when(ready: () => boolean, timeoutMs: DurationMs, done: (inTime: boolean) => void): () => void {
    const { clock } = this.#runtime;
    const stop = (): void => {
      timer.cancel();
      this.#waiters.delete(look);
    };
    const finish = (inTime: boolean): void => {
      stop();
      done(inTime);
    };
    const look = (): void => {
      if (ready()) finish(true);
    };
    let timer = clock.after(timeoutMs, () => finish(false));
    if (ready()) {
      timer.cancel();
      timer = clock.after(0, () => finish(true));
    } else {
      this.#waiters.add(look);
      this.requestUpdate();
    }
    return stop;
  }

  /** Stops everything. Who still waits hears of it when its time is over. */
  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
    this.#listeners.clear();
    this.#waiters.clear();
  }

  #want(): void {
    this.#wanted = true;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#closed || this.#underWay) return;
    const sooner = this.#urgent || (this.#wanted && this.#timerIsForAge);
    if (this.#timer !== undefined && !sooner) return;
    this.#timer?.cancel();
    this.#timerIsForAge = !this.#wanted;
    const backoff = this.#urgent ? 0 : Math.max(0, this.#notBefore - this.#runtime.clock.now());
    const delay = this.#wanted ? backoff : this.#config['metadata.max.age.ms'];
    this.#timer = this.#runtime.clock.after(delay, () => {
      this.#timer = undefined;
      this.#refresh();
    });
  }

  #refresh(): void {
    if (this.#closed) return;
    this.#underWay = true;
    this.#wanted = false;
    this.#urgent = false;
    const node = this.anyNode();
    const request = {
      allTopics: false,
      topics: [...this.#tracked],
      allowAutoTopicCreation: this.#config['allow.auto.create.topics'],
    };
    this.#runtime.network.request(node, 'Metadata', request, this.#config['request.timeout.ms'], (outcome) =>
      this.#onOutcome(node, outcome),
    );
  }

  #onOutcome(node: NodeId, outcome: Outcome<ResponseOf<'Metadata'>>): void {
    if (this.#closed) return;
    this.#underWay = false;
    if (outcome.kind === 'ok') {
      this.#failedAt.delete(node);
      this.#lastFailure = undefined;
      const changed = this.#cache.apply(outcome.response);
      this.#learnAddresses();
      this.#fruitless = changed ? 0 : this.#fruitless + 1;
    } else {
      this.nodeFailed(node);
      this.#lastFailure = describeFailure(node, outcome);
      this.#fruitless += 1;
      this.#wanted = true;
    }
    this.#notBefore = this.#runtime.clock.now() + backoffMs(this.#config, Math.max(1, this.#fruitless), this.#random);
    this.#schedule();
    if (outcome.kind === 'ok') this.#notify();
  }

  /** A broker to ask: in turn; what failed lately comes last, oldest failure first; bootstrap nodes when all brokers failed. */
  anyNode(): NodeId {
    const now = this.#runtime.clock.now();
    const known = this.#cache.brokers.map((broker) => broker.node);
    const candidates = [...rotate(known, this.#rotation), ...rotate(this.#bootstrap, this.#rotation)];
    this.#rotation += 1;
    const failure = (node: NodeId): InstantMs => {
      const at = this.#failedAt.get(node);
      return at === undefined || now - at > this.#config['request.timeout.ms'] ? -1 : at;
    };
    let best = candidates[0]!;
    for (const node of candidates) if (failure(node) < failure(best)) best = node;
    return best;
  }

  #learnAddresses(): void {
    for (const { node, endpoint } of this.#cache.brokers) {
      if (endpoint === undefined) continue;
      const address = `${endpoint.host}:${endpoint.port}`;
      if (this.#addresses.get(node) === address) continue;
      this.#addresses.set(node, address);
      this.#runtime.network.setAddress(node, endpoint.host, endpoint.port);
    }
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener();
    for (const look of [...this.#waiters]) look();
    if (this.#waiters.size > 0) this.#want();
  }
}

function rotate(nodes: readonly NodeId[], by: number): NodeId[] {
  const at = nodes.length === 0 ? 0 : by % nodes.length;
  return [...nodes.slice(at), ...nodes.slice(0, at)];
}

function describeFailure(node: NodeId, outcome: { kind: 'timed-out' } | { kind: 'disconnected'; reason: string }) {
  const who = node < 0 ? `bootstrap broker ${-node}` : `broker ${node}`;
  return outcome.kind === 'timed-out' ? `${who} did not answer in time` : `${who} cannot be reached: ${outcome.reason}`;
}
