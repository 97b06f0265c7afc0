// A cluster in containers that has started: where clients find it, and how it is broken. The same for one container and for
// four.
import { formatPartition, parsePartition, type TopicPartition } from '../base/units.ts';
import type { ClusterState } from '../agent/home.ts';
import { hostOf } from '../agent/home.ts';
import { Cluster } from '../cli/cluster.ts';
import { connectTo } from '../cli/connection.ts';
import { EXIT, Problem } from '../cli/problem.ts';
import { untilUp, type TopicSpec } from '../cli/readiness.ts';
import type { ConnectOptions, HighwaterClient } from '../client/index.ts';
import { ERRORS } from '../protocol/errors.ts';
import { Faults } from './faults.ts';
import { Nodes } from './nodes.ts';

/** Which replica shall lead: a node or selector, the first of the list, or any live one (committed records may be lost). */
export type Election = { readonly to: number | string } | 'preferred' | 'unclean';

export interface HighwaterCluster {
  /** Kafka addresses for clients on this host. */
  readonly brokers: readonly string[];
  /** The same, as bootstrap.servers takes them. */
  readonly bootstrap: string;
  /** Kafka addresses for clients in the containers' network. */
  readonly insideBrokers: readonly string[];
  /** What `connect` of our client needs. */
  readonly connectOptions: ConnectOptions;
  /** Its processes: kill, stop, start, restart, pause, resume. */
  readonly node: Nodes;
  /** Faults at points, cut links, safeguards. */
  readonly fault: Faults;
  /** For `highwater attach AGENT` with HIGHWATER_SECRET: the command line then means this cluster. */
  readonly agent: string;
  readonly secret: string;
  /** A client of ours, connected through a broker that answers. Closing it stays with you. */
  client(config?: Readonly<Record<string, string>>): Promise<HighwaterClient>;
  /** Elects a leader of a partition ("orders-0"). Answers who leads now. */
  elect(partition: string, election: Election): Promise<number>;
  /** Waits until all brokers are members and every partition has its full ISR. */
  untilWhole(withinMs?: number): Promise<void>;
}

const WHOLE_MS = 30_000;

/** The parts that both kinds of started clusters show. */
export class RunningCluster implements HighwaterCluster {
  readonly #cluster: Cluster;
  readonly node: Nodes;
  readonly fault: Faults;
  readonly insideBrokers: readonly string[];

  constructor(state: ClusterState, insideBrokers: readonly string[]) {
    this.#cluster = new Cluster(state);
    this.insideBrokers = insideBrokers;
    this.node = new Nodes(this.#cluster);
    this.fault = new Faults(this.#cluster);
  }

  get brokers(): readonly string[] {
    return this.#addresses('broker', 'kafkaPort');
  }

  get bootstrap(): string {
    return this.brokers.join(',');
  }

  get connectOptions(): ConnectOptions {
    const { secret, timers } = this.#cluster.state;
    const controller = this.#addresses('controller', 'grpcPort')[0]!;
    return { brokers: this.#addresses('broker', 'grpcPort'), controller, secret, profile: timers };
  }

  get agent(): string {
    return this.#addresses('controller', 'agentPort')[0]!;
  }

  get secret(): string {
    return this.#cluster.state.secret;
  }

  client(config: Readonly<Record<string, string>> = {}): Promise<HighwaterClient> {
    return connectTo(this.#cluster, config);
  }

  async elect(partition: string, election: Election): Promise<number> {
    const target = parsePartition(partition);
    if (target === undefined) throw new Problem('HW2001', `"${partition}" is no partition. Write it as orders-0`);
    const to = typeof election === 'string' ? -1 : await this.#cluster.node(String(election.to));
    const type = typeof election === 'string' ? (election === 'preferred' ? 'PREFERRED' : 'UNCLEAN') : 'TO';
    const { results } = await this.#cluster.controller('ElectLeaders', { type, ...target, to });
    const result = results[0]!;
    if (result.error === 'NONE' || result.error === 'ELECTION_NOT_NEEDED') return result.leader;
    throw new Problem(
      'HW2201',
      result.errorMessage || `${named(target)}: ${ERRORS[result.error].message}`,
      EXIT.failed,
    );
  }

  async untilWhole(withinMs: number = WHOLE_MS): Promise<void> {
    const end = performance.now() + withinMs;
    await this.untilUp([], withinMs);
    const { topics } = await this.#cluster.controller('DescribeCluster', {});
    const all = topics.map(({ name, partitions }) => ({
      ...{ name, partitions: partitions.length },
      replicationFactor: partitions[0]?.replicas.length ?? 0,
    }));
    await this.untilUp(all, end - performance.now());
  }

  /** Waits until it is up, and creates topics that are not there. */
  untilUp(topics: readonly TopicSpec[], withinMs: number): Promise<void> {
    return untilUp(this.#cluster, topics, withinMs);
  }

  close(): void {
    this.#cluster.close();
  }

  #addresses(role: string, port: 'kafkaPort' | 'grpcPort' | 'agentPort'): readonly string[] {
    const { state } = this.#cluster;
    return state.nodes.filter((node) => node.role === role).map((node) => `${hostOf(state, node)}:${node[port] ?? 0}`);
  }
}

function named({ topic, partition }: TopicPartition): string {
  return formatPartition(topic, partition);
}
