// From agents that wait to a cluster that serves: reads where the engine has published the ports, tells the agents, and waits
// until all brokers are members and the topics are there.
import { setTimeout as delay } from 'node:timers/promises';
import { getContainerRuntimeClient, type StartedTestContainer } from 'testcontainers';
import { INSIDE } from '../agent/container-layout.ts';
import type { ClusterState } from '../agent/home.ts';
import { ManyAgents } from '../agent/many-agents.ts';
import { failed, stillRuns } from './agent-answers.ts';
import { RunningCluster } from './cluster.ts';
import { nodePorts, topicSpecs, type ClusterSettings, type NodePorts } from './settings.ts';
import { StartFailed } from './start-failed.ts';

export interface Started {
  readonly settings: ClusterSettings;
  readonly secret: string;
  /** The container of a node. */
  readonly containerOf: (node: NodePorts) => StartedTestContainer;
  /** Kafka addresses for clients in the network of the containers. */
  readonly insideBrokers: readonly string[];
  readonly withinMs: number;
}

const TELL_MS = 10_000;
const LOOK_EVERY_MS = 250;

/** Resolves when the cluster is up. Throws StartFailed with the end of a container's log. */
export async function bringUp(started: Started): Promise<RunningCluster> {
  const { settings, insideBrokers, withinMs, containerOf } = started;
  const state = stateOf(started);
  const running = new RunningCluster(state, insideBrokers);
  const watched = new AbortController();
  const containers = [...new Set(nodePorts(settings.brokers).map(containerOf))];
  try {
    await advertise(state);
    const up = running.untilUp(topicSpecs(settings), withinMs);
    await Promise.race([up, firstToEnd(containers, watched.signal)]);
    return running;
  } catch (error) {
    running.close();
    if (error instanceof StartFailed) throw error;
    throw await failed(await engineContainer(containers[0]!), (error as Error).message);
  } finally {
    watched.abort();
  }
}

/** The cluster as it is found from here. */
function stateOf({ settings, secret, containerOf }: Started): ClusterState {
  const nodes = nodePorts(settings.brokers).map((ports): ClusterState['nodes'][number] => {
    const { id, role, grpc, kafka } = ports;
    const container = containerOf(ports);
    return {
      ...{ id, role, pid: 0, startTime: '', dataDir: '', host: container.getHost() },
      agentPort: container.getMappedPort(INSIDE.agentPort),
      grpcPort: container.getMappedPort(grpc),
      kafkaPort: kafka > 0 ? container.getMappedPort(kafka) : 0,
    };
  });
  const [first] = nodes;
  return {
    ...{ version: 1, name: 'default', dir: '', secret, host: first!.host!, timers: settings.timers },
    ...{ config: { ...settings.config }, nodes, agent: { pid: 0, startTime: '', port: first!.agentPort! } },
  };
}

/** Every agent starts its nodes when it knows where clients outside find all of them. */
async function advertise(state: ClusterState): Promise<void> {
  const agents = new ManyAgents(state);
  try {
    const nodes = state.nodes.map(({ id, host = '', agentPort = 0, grpcPort, kafkaPort }) => ({
      id,
      outside: { host, agentPort, grpcPort, kafkaPort },
    }));
    const { refused } = await agents.call('Advertise', { nodes }, TELL_MS);
    if (refused !== '') throw new StartFailed(`the agents refuse their addresses outside: ${refused}`);
  } finally {
    agents.close();
  }
}

/** Rejects when a container has ended; never resolves before it is told to. */
async function firstToEnd(containers: readonly StartedTestContainer[], signal: AbortSignal): Promise<void> {
  const watched = await Promise.all(containers.map(engineContainer));
  while (!signal.aborted) {
    await Promise.all(watched.map(stillRuns));
    await delay(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function engineContainer(container: StartedTestContainer) {
  return (await getContainerRuntimeClient()).container.getById(container.getId());
}
