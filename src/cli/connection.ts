// A client of ours, connected to a recorded cluster: all its brokers' addresses are in the state file, and they are asked
// side by side, so it finds those that live whatever has happened to the others.
import { connect, HighwaterError, type HighwaterClient } from '../client/index.ts';
import { hostOf } from '../agent/home.ts';
import type { Cluster } from './cluster.ts';
import { firstToAnswer } from './first-to-answer.ts';
import { EXIT, Problem } from './problem.ts';

/** How long a command looks for a broker that answers. */
const CONNECT_MS = 10_000;

/** How long all of them are asked side by side before one after the other is tried. */
const FIRST_ANSWER_MS = 3000;

/** Who lives, and nothing else. */
const NO_TOPICS = { allTopics: false, topics: [], allowAutoTopicCreation: false };

/** Connects, or throws a Problem (exit 4). */
export async function connectTo(cluster: Cluster, config: Readonly<Record<string, string>>): Promise<HighwaterClient> {
  const { nodes, secret, timers, name } = cluster.state;
  const running = cluster.runningBrokers().map(({ id }) => id);
  const first = await firstToAnswer(running, (id) => cluster.broker(id, 'Metadata', NO_TOPICS, FIRST_ANSWER_MS));
  const addresses = (role: string): string[] =>
    nodes
      .filter((node) => node.role === role && (role !== 'broker' || first === undefined || node.id === first))
      .map((node) => `${hostOf(cluster.state, node)}:${node.grpcPort}`);
  const [brokers, controller] = [addresses('broker'), addresses('controller')[0]!];
  const signal = AbortSignal.timeout(CONNECT_MS);
  try {
    return await connect({ brokers, controller, secret, profile: timers, config, clientId: 'highwater-cli', signal });
  } catch (error) {
    if (!(error instanceof HighwaterError) && !signal.aborted) throw error;
    throw new Problem(
      'HW4001',
      `no broker of cluster ${name} answers. See: highwater status --cluster ${name}`,
      EXIT.unreachable,
    );
  }
}

/** Indexes of a topic's partitions; a Problem that lists the topics if it does not exist. Never creates it. */
export async function partitionsOf(client: HighwaterClient, topic: string): Promise<readonly number[]> {
  const topics = await client.admin().describeTopics();
  const found = topics.find(({ name }) => name === topic);
  if (found !== undefined && found.partitions.length > 0) return found.partitions.map(({ partition }) => partition);
  const known = topics.map(({ name }) => name).join(', ') || 'none';
  throw new Problem(
    'HW2201',
    `topic "${topic}" does not exist. Topics: ${known}. Create it: highwater topics create ${topic}`,
  );
}
