// What a cluster in containers shall be, and how its containers are told: their environment, and which ports they publish.
import { CONTROLLER_ID } from '../base/units.ts';
import { INSIDE, OUTSIDE_PORT_BASE } from '../agent/container-layout.ts';
import { ConfigError, nodeConfig, type TimerProfile } from '../protocol/config.ts';
import { parseTopicSpec, type TopicSpec } from '../cli/readiness.ts';

/** The image that `npm run image` builds. */
export const DEFAULT_IMAGE = 'highwater:latest';

/** A topic that exists when the cluster has started. */
export interface TopicShape {
  /** 1 if left out. */
  readonly partitions?: number;
  /** min(3, brokers) if left out. */
  readonly replicationFactor?: number;
}

export interface ClusterSettings {
  readonly brokers: number;
  readonly timers: TimerProfile;
  /** By Kafka's names. */
  readonly config: Readonly<Record<string, string>>;
  readonly topics: Readonly<Record<string, TopicShape>>;
}

/** Three brokers with quick timers: tests want to see an election soon. */
export const DEFAULTS: ClusterSettings = { brokers: 3, timers: 'fast', config: {}, topics: {} };

const BROKERS_MAX = 9;

/** Settings with a change. Throws ConfigError for what no cluster can be. */
export function changed(settings: ClusterSettings, change: Partial<ClusterSettings>): ClusterSettings {
  const now = { ...settings, ...change };
  if (!Number.isInteger(now.brokers) || now.brokers < 1 || now.brokers > BROKERS_MAX)
    throw new ConfigError(`a cluster in containers has 1 to ${BROKERS_MAX} brokers, not ${now.brokers}`);
  nodeConfig(now.config, now.timers);
  const odd = Object.values(now.config).find((value) => /[\s,]/.test(value));
  if (odd !== undefined) throw new ConfigError(`"${odd}": a setting of a container holds no space or comma`);
  return now;
}

/** The topics to create, once all settings are known. Throws Problem for what cannot be one. */
export function topicSpecs({ topics, brokers }: ClusterSettings): readonly TopicSpec[] {
  return Object.entries(topics).map(([name, { partitions = 1, replicationFactor = Math.min(3, brokers) }]) =>
    parseTopicSpec(`${name}:${partitions}:${replicationFactor}`, brokers),
  );
}

/** One node and the ports on which its container listens for clients outside. */
export interface NodePorts {
  readonly id: number;
  readonly role: 'broker' | 'controller';
  readonly name: string;
  readonly grpc: number;
  /** 0 for the controller. */
  readonly kafka: number;
}

/** All nodes, the controller first. */
export function nodePorts(brokers: number): readonly NodePorts[] {
  const controller = {
    id: CONTROLLER_ID,
    role: 'controller',
    name: 'controller',
    grpc: OUTSIDE_PORT_BASE + 99,
  } as const;
  const ids = Array.from({ length: brokers }, (_, index) => index + 1);
  return [
    { ...controller, kafka: 0 },
    ...ids.map((id) => {
      const kafka = OUTSIDE_PORT_BASE + id - 1;
      return { id, role: 'broker', name: `broker-${id}`, kafka, grpc: kafka + 100 } as const;
    }),
  ];
}

/** Ports that a container publishes: its agent's, and those of its nodes. */
export function publishedPorts(nodes: readonly NodePorts[]): readonly number[] {
  return [INSIDE.agentPort, ...nodes.flatMap(({ grpc, kafka }) => (kafka > 0 ? [grpc, kafka] : [grpc]))];
}

/**
 * The environment of a container.
 * @param node The name of its node, or "all".
 * @param host Where all nodes are found inside, if they share a container; else each at its name.
 */
export function environmentOf(
  settings: ClusterSettings,
  { node, secret, host }: { readonly node: string; readonly secret: string; readonly host?: string },
): Record<string, string> {
  const named = nodePorts(settings.brokers).map(({ name }) => (host === undefined ? name : `${name}=${host}`));
  return {
    HIGHWATER_CLUSTER: 'default',
    HIGHWATER_NODE: node,
    HIGHWATER_NODES: named.join(','),
    HIGHWATER_OUTSIDE: 'later',
    HIGHWATER_TIMERS: settings.timers,
    HIGHWATER_CONFIG: Object.entries(settings.config)
      .map(([name, value]) => `${name}=${value}`)
      .join(','),
    HIGHWATER_SECRET: secret,
  };
}
