// How commands are told of one partition: "orders-0", or by Kafka's flags --topic and --partition.
import { parsePartition, type TopicPartition } from '../base/units.ts';
import type { HighwaterClient } from '../client/index.ts';
import type { Cluster } from './cluster.ts';
import { partitionsOf } from './connection.ts';
import { parseCount } from './duration.ts';
import { EXIT, Problem } from './problem.ts';

/** How long the agent may take to tell which nodes run. */
const AGENT_MS = 5000;

export interface PartitionFlags {
  readonly topic?: string;
  readonly partition?: string;
}

/** The partition that `text` or the flags name; a Problem if neither or both do. */
export function partitionArgument(verb: string, text: string | undefined, flags: PartitionFlags): TopicPartition {
  const { topic, partition } = flags;
  if (text !== undefined) {
    if ((topic ?? partition) !== undefined) {
      throw new Problem('HW2001', `${verb}: name the partition once, as ${text} or by --topic and --partition`);
    }
    const parsed = parsePartition(text);
    if (parsed !== undefined) return parsed;
    throw new Problem('HW2001', `"${text}" is no partition. Write TOPIC-PARTITION, e.g. orders-0`);
  }
  if (topic === undefined || partition === undefined) {
    throw new Problem(
      'HW2001',
      `${verb} needs a partition: TOPIC-PARTITION, e.g. orders-0, or --topic T --partition P`,
    );
  }
  return { topic, partition: parseCount('--partition', partition, 0) };
}

/** Throws a Problem that lists what there is, unless the partition exists. */
export async function checkPartition(client: HighwaterClient, { topic, partition }: TopicPartition): Promise<void> {
  const partitions = await partitionsOf(client, topic);
  if (partitions.includes(partition)) return;
  throw new Problem('HW2201', `${topic} has partitions 0 to ${partitions.length - 1}, not ${partition}`);
}

/** The broker that --broker names; a Problem that lists those there are. */
export function brokerArgument(text: string | undefined, brokers: readonly number[]): number | undefined {
  if (text === undefined) return undefined;
  const node = parseCount('--broker', text, 0);
  if (brokers.includes(node)) return node;
  throw new Problem('HW2301', `no broker ${node}. Brokers: ${brokers.join(', ')}`);
}

/** As `brokerArgument`, for one that is asked: a Problem that says how to get it to answer unless it runs. */
export async function runningBrokerArgument(text: string | undefined, cluster: Cluster): Promise<number | undefined> {
  const id = brokerArgument(text, cluster.brokerIds());
  if (id === undefined) return undefined;
  const { nodes } = await cluster.reach('the agent', cluster.agent.call('ListNodes', {}, AGENT_MS));
  const state = nodes.find((node) => node.id === id)?.state ?? 'stopped';
  if (state === 'running' || state === 'starting') return id;
  const { name } = cluster.state;
  const verb = state === 'paused' ? 'resume' : 'start';
  const flag = name === 'default' ? '' : ` --cluster ${name}`;
  throw new Problem(
    'HW4001',
    `broker ${id} is ${state}; ${verb} it with: highwater node ${verb} ${id}${flag}`,
    EXIT.unreachable,
  );
}
