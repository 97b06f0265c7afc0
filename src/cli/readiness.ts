// When a cluster is up: all brokers unfenced, every topic asked for with its full ISR, every listener answering.
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { hostOf } from '../agent/home.ts';
import { ERRORS } from '../protocol/errors.ts';
import { topicNameProblem } from '../protocol/topic-name.ts';
import type { Cluster } from './cluster.ts';
import { parseCount } from './duration.ts';
import { EXIT, Problem } from './problem.ts';

/** A topic to create with the cluster. */
export interface TopicSpec {
  readonly name: string;
  readonly partitions: number;
  readonly replicationFactor: number;
}

/** Reads NAME:PARTITIONS:RF; the numbers may be left out. */
export function parseTopicSpec(text: string, brokers: number): TopicSpec {
  const [name = '', partitions = '1', factor = String(Math.min(3, brokers)), ...rest] = text.split(':');
  if (name === '' || rest.length > 0)
    throw new Problem('HW2001', `--topic is NAME:PARTITIONS:RF, e.g. orders:3:3, not "${text}"`);
  const problem = topicNameProblem(name);
  if (problem !== undefined) throw new Problem('HW2001', `--topic: ${problem}`);
  return {
    name,
    partitions: parseCount('partitions of --topic', partitions, 1, 10_000),
    replicationFactor: parseCount('RF of --topic', factor, 1, brokers),
  };
}

/** Waits, with a bound, until the cluster is up; creates the topics that are not there. Throws a Problem (exit 4). */
export async function untilUp(cluster: Cluster, topics: readonly TopicSpec[], withinMs: number): Promise<void> {
  const end = performance.now() + withinMs;
  const wanted = cluster.state.nodes.filter((node) => node.role === 'broker');
  let missing = 'the controller does not answer';
  let created = topics.length === 0;
  while (performance.now() < end) {
    missing = await whatIsMissing(cluster, wanted.length, created ? topics : []);
    if (missing === '' && !created) {
      await createMissing(cluster, topics);
      created = true;
      continue;
    }
    if (missing === '') {
      const silent = await silentListeners(
        wanted.map((node) => ({ host: hostOf(cluster.state, node), port: node.kafkaPort })),
      );
      if (silent.length === 0) return;
      missing = `nothing listens on port ${silent.join(', ')}`;
    }
    await delay(15);
  }
  throw new Problem(
    'HW4001',
    `cluster ${cluster.state.name} was not ready within ${withinMs / 1000} s: ${missing}`,
    EXIT.unreachable,
  );
}

async function whatIsMissing(cluster: Cluster, brokers: number, topics: readonly TopicSpec[]): Promise<string> {
  try {
    const state = await cluster.controller('DescribeCluster', {});
    const active = state.brokers.filter((broker) => !broker.fenced).length;
    if (active < brokers) return `${active} of ${brokers} brokers are unfenced`;
    for (const { name } of topics) {
      const topic = state.topics.find((each) => each.name === name);
      const thin = topic?.partitions.find(
        (partition) => partition.leader < 0 || partition.isr.length < partition.replicas.length,
      );
      if (topic === undefined || thin !== undefined) return `topic ${name} has not its full ISR`;
    }
    return '';
  } catch (error) {
    if (error instanceof Problem) return error.message;
    throw error;
  }
}

async function createMissing(cluster: Cluster, topics: readonly TopicSpec[]): Promise<void> {
  const request = topics.map(({ name, partitions, replicationFactor }) => ({
    name,
    numPartitions: partitions,
    replicationFactor,
    assignments: [],
    configs: [],
  }));
  const response = await cluster.controller('CreateTopics', { topics: request, validateOnly: false });
  const failed = response.topics.find((topic) => topic.error !== 'NONE' && topic.error !== 'TOPIC_ALREADY_EXISTS');
  if (failed !== undefined) throw new Problem('HW2201', failed.errorMessage || ERRORS[failed.error].message);
}

async function silentListeners(places: readonly { host: string; port: number }[]): Promise<number[]> {
  const answers = await Promise.all(places.map(({ host, port }) => accepts(host, port)));
  return places.filter((_, index) => !answers[index]).map(({ port }) => port);
}

function accepts(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: 1000 });
    const settle = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket
      .once('connect', () => settle(true))
      .once('error', () => settle(false))
      .once('timeout', () => settle(false));
  });
}
