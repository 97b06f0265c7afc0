// A whole cluster in one container: an agent, a controller and brokers. Quick to start, and every node can be killed alone;
// for real networks between the nodes, and containers that die, see HighwaterNetwork.
import { AbstractStartedContainer, type StartedTestContainer } from 'testcontainers';
import { INSIDE } from '../agent/container-layout.ts';
import type { HighwaterClient } from '../client/index.ts';
import type { TimerProfile } from '../protocol/config.ts';
import { AgentContainer, drawSecret } from './agent-container.ts';
import { bringUp } from './bring-up.ts';
import type { Election, HighwaterCluster, RunningCluster } from './cluster.ts';
import {
  changed,
  DEFAULT_IMAGE,
  DEFAULTS,
  environmentOf,
  nodePorts,
  publishedPorts,
  type ClusterSettings,
  type TopicShape,
} from './settings.ts';

const START_MS = 60_000;

/** `await new HighwaterContainer().withTopic('orders', { partitions: 3 }).start()` */
export class HighwaterContainer extends AgentContainer {
  #settings: ClusterSettings = DEFAULTS;

  /** @param image The one that `npm run image` builds, if nothing else is said. */
  constructor(image: string = DEFAULT_IMAGE) {
    super(image, drawSecret());
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

  /** Resolves when all brokers are members and the topics have their full ISR. Throws StartFailed; nothing is left then. */
  override async start(): Promise<StartedHighwaterContainer> {
    const [settings, secret, withinMs] = [this.#settings, this.secret, this.startupTimeoutMs ?? START_MS];
    const nodes = nodePorts(settings.brokers);
    const host = this.networkAliases[0] ?? '127.0.0.1';
    this.withEnvironment(environmentOf(settings, { node: 'all', secret, host }));
    const container = await this.startAgent(publishedPorts(nodes));
    try {
      const insideBrokers = nodes.slice(1).map(({ id }) => `${host}:${INSIDE.kafkaPort + id - 1}`);
      const cluster = await bringUp({ settings, secret, containerOf: () => container, insideBrokers, withinMs });
      return new StartedHighwaterContainer(container, cluster);
    } catch (error) {
      await container.stop();
      throw error;
    }
  }

  #with(change: Partial<ClusterSettings>): this {
    this.#settings = changed(this.#settings, change);
    return this;
  }
}

export class StartedHighwaterContainer extends AbstractStartedContainer implements HighwaterCluster {
  readonly #cluster: RunningCluster;
  readonly brokers: readonly string[];
  readonly bootstrap: string;
  readonly insideBrokers: readonly string[];
  readonly connectOptions: HighwaterCluster['connectOptions'];
  readonly node: HighwaterCluster['node'];
  readonly fault: HighwaterCluster['fault'];
  readonly agent: string;
  readonly secret: string;

  constructor(container: StartedTestContainer, cluster: RunningCluster) {
    super(container);
    this.#cluster = cluster;
    ({ brokers: this.brokers, bootstrap: this.bootstrap, insideBrokers: this.insideBrokers } = cluster);
    ({ connectOptions: this.connectOptions, agent: this.agent, secret: this.secret } = cluster);
    ({ node: this.node, fault: this.fault } = cluster);
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

  protected override containerStopping(): Promise<void> {
    this.#cluster.close();
    return Promise.resolve();
  }
}
