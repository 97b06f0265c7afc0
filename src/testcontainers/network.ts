// A cluster in containers of its own, one node each, in a network of its own: a container's death is one more kill -9, and cut
// networks are real ones.
import { Network, type StartedNetwork } from 'testcontainers';
import { INSIDE } from '../agent/container-layout.ts';
import type { HighwaterClient } from '../client/index.ts';
import type { TimerProfile } from '../protocol/config.ts';
import { AgentContainer, drawSecret } from './agent-container.ts';
import { bringUp } from './bring-up.ts';
import type { Election, HighwaterCluster, RunningCluster } from './cluster.ts';
import { NodeContainer } from './node-container.ts';
import {
  changed,
  DEFAULT_IMAGE,
  DEFAULTS,
  environmentOf,
  nodePorts,
  publishedPorts,
  type ClusterSettings,
  type NodePorts,
  type TopicShape,
} from './settings.ts';
import { explained } from './start-failed.ts';

const START_MS = 90_000;

/** `await new HighwaterNetwork().withTopic('orders', { partitions: 3 }).start()` */
export class HighwaterNetwork {
  readonly #image: string;
  #settings: ClusterSettings = DEFAULTS;
  #withinMs = START_MS;

  /** @param image The one that `npm run image` builds, if nothing else is said. */
  constructor(image: string = DEFAULT_IMAGE) {
    this.#image = image;
  }

  /** 1 to 9; 3 if nothing is said. */
  withBrokers(brokers: number): this {
    return this.#with({ brokers });
  }

  /** "fast" (what tests want, and the default) or "kafka". */
  withTimers(timers: TimerProfile): this {
    return this.#with({ timers });
  }

  /** Settings of all nodes, by Kafka's names. */
  withConfig(config: Readonly<Record<string, string>>): this {
    return this.#with({ config: { ...this.#settings.config, ...config } });
  }

  /** A topic that exists when the cluster has started. */
  withTopic(name: string, shape: TopicShape = {}): this {
    return this.#with({ topics: { ...this.#settings.topics, [name]: shape } });
  }

  withStartupTimeout(startupTimeoutMs: number): this {
    this.#withinMs = startupTimeoutMs;
    return this;
  }

  /** Resolves when all brokers are members and the topics have their full ISR. Throws StartFailed; nothing is left then. */
  async start(): Promise<StartedHighwaterNetwork> {
    const [settings, secret, withinMs] = [this.#settings, drawSecret(), this.#withinMs];
    const nodes = nodePorts(settings.brokers);
    const network = await this.#network();
    const started = await Promise.allSettled(nodes.map((node) => this.#startNode(node, secret, network)));
    const containers = started.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    try {
      for (const outcome of started) if (outcome.status === 'rejected') throw outcome.reason;
      const containerOf = ({ name }: NodePorts) => containers.find((each) => each.name === name)!.container;
      const insideBrokers = nodes.slice(1).map(({ name }) => `${name}:${INSIDE.kafkaPort}`);
      const cluster = await bringUp({ settings, secret, containerOf, insideBrokers, withinMs });
      return new StartedHighwaterNetwork(cluster, network, containers);
    } catch (error) {
      await removeAll(containers, network);
      throw error;
    }
  }

  async #network(): Promise<StartedNetwork> {
    try {
      return await new Network().start();
    } catch (error) {
      throw explained(error, this.#image);
    }
  }

  async #startNode(node: NodePorts, secret: string, network: StartedNetwork): Promise<NodeContainer> {
    const { name } = node;
    const container = await new AgentContainer(this.#image, secret)
      .withNetwork(network)
      .withNetworkAliases(name)
      .withStartupTimeout(this.#withinMs)
      .withEnvironment(environmentOf(this.#settings, { node: name, secret }))
      .startAgent(publishedPorts([node]));
    return new NodeContainer(name, container, network);
  }

  #with(change: Partial<ClusterSettings>): this {
    this.#settings = changed(this.#settings, change);
    return this;
  }
}

export class StartedHighwaterNetwork implements HighwaterCluster {
  readonly #cluster: RunningCluster;
  readonly #containers: readonly NodeContainer[];
  /** Containers of an application that join it find brokers at `insideBrokers`. */
  readonly network: StartedNetwork;
  readonly brokers: readonly string[];
  readonly bootstrap: string;
  readonly insideBrokers: readonly string[];
  readonly connectOptions: HighwaterCluster['connectOptions'];
  readonly node: HighwaterCluster['node'];
  readonly fault: HighwaterCluster['fault'];
  readonly agent: string;
  readonly secret: string;
  #stopping: Promise<void> | undefined;

  constructor(cluster: RunningCluster, network: StartedNetwork, containers: readonly NodeContainer[]) {
    this.#cluster = cluster;
    this.#containers = containers;
    this.network = network;
    ({ brokers: this.brokers, bootstrap: this.bootstrap, insideBrokers: this.insideBrokers } = cluster);
    ({ connectOptions: this.connectOptions, agent: this.agent, secret: this.secret } = cluster);
    ({ node: this.node, fault: this.fault } = cluster);
  }

  /** All containers, the controller's first. */
  get containers(): readonly NodeContainer[] {
    return this.#containers;
  }

  /** The container of the one node that an id or a selector stands for: 2, "controller", "leader(orders-0)". */
  async container(node: number | string): Promise<NodeContainer> {
    const ids = await this.node.find(node);
    const names = nodePorts(this.#containers.length - 1).flatMap(({ id, name }) => (ids.includes(id) ? [name] : []));
    if (names.length !== 1) throw new Error(`${node} stands for ${names.length} containers: ${names.join(', ')}`);
    return this.#containers.find(({ name }) => name === names[0])!;
  }

  client(config: Readonly<Record<string, string>> = {}): Promise<HighwaterClient> {
    return this.#cluster.client(config);
  }

  elect(partition: string, election: Election): Promise<number> {
    return this.#cluster.elect(partition, election);
  }

  untilWhole(withinMs?: number): Promise<void> {
    return this.#cluster.untilWhole(withinMs);
  }

  /** Removes containers and network, whatever their state. Nothing is left. */
  stop(): Promise<void> {
    this.#cluster.close();
    this.#stopping ??= removeAll(this.#containers, this.network);
    return this.#stopping;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

async function removeAll(containers: readonly NodeContainer[], network: StartedNetwork): Promise<void> {
  await Promise.all(containers.map((container) => container.remove()));
  await network.stop();
}
