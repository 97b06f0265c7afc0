// The topics that belong to the cluster itself: created when somebody first asks for a coordinator (txn T-6, T-8, wire G-3),
// with forced settings, on as many brokers as there are if there are fewer than configured (docs/divergence.md).
import type { NodeId } from '../base/units.ts';
import type { NodeConfig } from '../protocol/config.ts';
import type { ConfigEntry } from '../protocol/generated/index.ts';
import type { NodeContext } from './context.ts';

export const TRANSACTION_TOPIC = '__transaction_state';
export const OFFSETS_TOPIC = '__consumer_offsets';
export type InternalTopic = typeof TRANSACTION_TOPIC | typeof OFFSETS_TOPIC;

interface Shape {
  readonly partitions: number;
  readonly replicationFactor: number;
  readonly configs: Readonly<Record<string, string | number | boolean>>;
}

export class InternalTopics {
  readonly #context: NodeContext;
  readonly #controller: NodeId;
  readonly #asking = new Set<InternalTopic>();

  constructor(context: NodeContext, controller: NodeId) {
    this.#context = context;
    this.#controller = controller;
  }

  /** Asks the controller for it, unless that is under way. The outcome is the metadata log's to tell. */
  create(name: InternalTopic): void {
    const { runtime, config, image } = this.#context;
    if (this.#asking.has(name)) return;
    const live = [...image.brokers.values()].filter(({ fenced }) => !fenced).length;
    const { partitions, replicationFactor, configs } = shapeOf(name, config);
    const replicas = Math.min(replicationFactor, live);
    if (replicas === 0) return;
    if (replicas < replicationFactor) {
      const message = `${name} gets ${replicas} replicas, not ${replicationFactor}: there are no more brokers`;
      runtime.trace({ type: 'log.line', level: 'warn', message });
    }
    this.#asking.add(name);
    const minIsr = Math.min(config['transaction.state.log.min.isr'], replicas);
    const all = name === TRANSACTION_TOPIC ? { ...configs, 'min.insync.replicas': minIsr } : configs;
    const topic = {
      ...{ name, numPartitions: partitions, replicationFactor: replicas, assignments: [] },
      configs: Object.entries(all).map(([key, value]): ConfigEntry => ({ name: key, value: String(value) })),
    };
    const request = { topics: [topic], validateOnly: false };
    runtime.network.request(this.#controller, 'CreateTopics', request, config['request.timeout.ms'], () =>
      this.#asking.delete(name),
    );
  }
}

function shapeOf(name: InternalTopic, config: NodeConfig): Shape {
  if (name === TRANSACTION_TOPIC) {
    return {
      partitions: config['transaction.state.log.num.partitions'],
      replicationFactor: config['transaction.state.log.replication.factor'],
      configs: {
        'cleanup.policy': 'compact',
        'unclean.leader.election.enable': false,
        'segment.bytes': config['transaction.state.log.segment.bytes'],
      },
    };
  }
  return {
    partitions: config['offsets.topic.num.partitions'],
    replicationFactor: config['offsets.topic.replication.factor'],
    configs: { 'cleanup.policy': 'compact', 'segment.bytes': config['offsets.topic.segment.bytes'] },
  };
}
