// A cluster of Highwater's own processes for a row: three brokers and a controller, started by an agent inside the
// benchmark, with one topic whose replicas are all in sync.
import { layOut } from '../../src/agent/new-cluster.ts';
import { runAgent, type RunningAgent } from '../../src/agent/run-agent.ts';
import type { ClusterState } from '../../src/agent/home.ts';
import { Cluster } from '../../src/cli/cluster.ts';
import { untilUp } from '../../src/cli/readiness.ts';
import { programPath } from '../../src/cli/version.ts';
import type { ConnectOptions } from '../../src/client/index.ts';
import type { Room } from '../room.ts';

export const TOPIC = 'bench';

/** Where a client finds the brokers, as plain data. */
export type Reach = Pick<ConnectOptions, 'brokers' | 'profile'>;

export interface BenchCluster {
  readonly running: RunningAgent;
  readonly reach: Reach;
  /** Process ids of the brokers now. */
  brokerPids(): number[];
  /** Waits until all brokers are there and the topic's ISR is full. */
  settled(): Promise<void>;
}

const GRACE_MS = 5000;
const SETTLED_MS = 20_000;

/** Addresses of the brokers of a cluster. */
export function reachOf(state: ClusterState): Reach {
  const brokers = state.nodes.filter(({ role }) => role === 'broker');
  return { brokers: brokers.map(({ grpcPort }) => `${state.host}:${grpcPort}`), profile: state.timers };
}

/** @param timers `kafka` is what `up` starts unless told otherwise. `partitions` are those of the topic. */
export async function startCluster(room: Room, timers: 'kafka' | 'fast', partitions = 1): Promise<BenchCluster> {
  const { home } = room;
  const state = await layOut({
    ...{ name: 'bench', home, brokers: 3, dir: undefined, timers, host: '127.0.0.1', portBase: 0 },
    config: { 'min.insync.replicas': '2' },
  });
  const running = await runAgent(state, { home, program: programPath('node') });
  room.onClose(() => running.close(GRACE_MS));
  const cluster = new Cluster(running.agent.state);
  room.onClose(() => cluster.close());
  const topics = [{ name: TOPIC, partitions, replicationFactor: 3 }];
  const settled = (): Promise<void> => untilUp(cluster, topics, SETTLED_MS);
  await settled();
  const brokerPids = (): number[] =>
    running.agent
      .list()
      .filter(({ role }) => role === 'broker')
      .map(({ pid }) => pid);
  return { running, reach: reachOf(state), brokerPids, settled };
}
