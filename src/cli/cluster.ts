// A recorded cluster as commands reach it: its state file, its agent, its controller, its brokers. Resolves selectors.
import { agentAlive, agentClient } from '../agent/agent-client.ts';
import {
  CLUSTER_NAME,
  highwaterHome,
  hostOf,
  inContainers,
  readState,
  recordedClusters,
  type ClusterState,
  type NodeState,
} from '../agent/home.ts';
import { ManyAgents, type AgentCalls } from '../agent/many-agents.ts';
import { isSameProcess } from '../agent/process-identity.ts';
import { CONTROLLER_ID, type NodeId } from '../base/units.ts';
import { parseSelector, resolveSelector, type ClusterView } from '../fault/selectors.ts';
import type * as pb from '../protocol/generated/index.ts';
import { CallFailed, RemoteService } from '../rpc/remote-service.ts';
import { EXIT, Problem } from './problem.ts';

type ControllerMethods = {
  CreateTopics: { request: pb.CreateTopicsRequest; response: pb.CreateTopicsResponse };
  DeleteTopics: { request: pb.DeleteTopicsRequest; response: pb.DeleteTopicsResponse };
  CreatePartitions: { request: pb.CreatePartitionsRequest; response: pb.CreatePartitionsResponse };
  AlterConfigs: { request: pb.AlterConfigsRequest; response: pb.AlterConfigsResponse };
  ElectLeaders: { request: pb.ElectLeadersRequest; response: pb.ElectLeadersResponse };
  AlterPartitionReassignments: {
    request: pb.AlterPartitionReassignmentsRequest;
    response: pb.AlterPartitionReassignmentsResponse;
  };
  ListPartitionReassignments: {
    request: pb.ListPartitionReassignmentsRequest;
    response: pb.ListPartitionReassignmentsResponse;
  };
  UnregisterBroker: { request: pb.UnregisterBrokerRequest; response: pb.UnregisterBrokerResponse };
  DescribeCluster: { request: pb.DescribeClusterRequest; response: pb.DescribeClusterResponse };
  DescribeMetadataLog: { request: pb.DescribeMetadataLogRequest; response: pb.DescribeMetadataLogResponse };
};
type BrokerMethods = {
  Metadata: { request: pb.MetadataRequest; response: pb.MetadataResponse };
  DeleteRecords: { request: pb.DeleteRecordsRequest; response: pb.DeleteRecordsResponse };
  DescribeReplicas: { request: pb.DescribeReplicasRequest; response: pb.DescribeReplicasResponse };
  ListGroups: { request: pb.ListGroupsRequest; response: pb.ListGroupsResponse };
  ListTransactions: { request: pb.ListTransactionsRequest; response: pb.ListTransactionsResponse };
  DescribeTransactions: { request: pb.DescribeTransactionsRequest; response: pb.DescribeTransactionsResponse };
};

/** How long one call of a command may take. */
const CALL_MS = 10_000;

export class Cluster {
  readonly state: ClusterState;
  readonly #open: { close(): void }[] = [];
  readonly #remotes = new Map<string, { close(): void }>();
  #agent: AgentCalls | undefined;

  constructor(state: ClusterState) {
    this.state = state;
  }

  /** The agent's calls. Throws a Problem if the agent is dead. */
  get agent(): AgentCalls {
    if (this.#agent !== undefined) return this.#agent;
    if (!agentAlive(this.state)) {
      throw new Problem(
        'HW4001',
        `cluster ${this.state.name} is not running (its agent is gone). Start it: highwater up --cluster ${this.state.name}`,
        EXIT.unreachable,
      );
    }
    this.#agent = inContainers(this.state) ? new ManyAgents(this.state) : agentClient(this.state);
    this.#open.push(this.#agent);
    return this.#agent;
  }

  /** Calls the agent and turns a refusal into a Problem. */
  async act(call: Promise<{ readonly refused: string }>): Promise<void> {
    const { refused } = await this.reach('the agent', call);
    if (refused !== '') throw new Problem('HW2301', refused, EXIT.failed);
  }

  controller<K extends keyof ControllerMethods>(
    method: K,
    request: Omit<ControllerMethods[K]['request'], 'lamport'>,
  ): Promise<ControllerMethods[K]['response']> {
    const node = this.state.nodes.find((each) => each.role === 'controller')!;
    return this.#call('ControllerAdmin', node, (remote: RemoteService<ControllerMethods>) =>
      remote.call(method, request, CALL_MS),
    );
  }

  broker<K extends keyof BrokerMethods>(
    id: NodeId,
    method: K,
    request: Omit<BrokerMethods[K]['request'], 'lamport'>,
    timeoutMs: number = CALL_MS,
  ): Promise<BrokerMethods[K]['response']> {
    const node = this.state.nodes.find((each) => each.id === id)!;
    return this.#call('BrokerClient', node, (remote: RemoteService<BrokerMethods>) =>
      remote.call(method, request, timeoutMs),
    );
  }

  /** Ids of all its brokers, running or not. */
  brokerIds(): readonly NodeId[] {
    return this.state.nodes.filter((node) => node.role === 'broker').map((node) => node.id);
  }

  /** Brokers whose process is alive, by id. In containers that cannot be seen from here: all of them. */
  runningBrokers(): NodeState[] {
    const unseen = inContainers(this.state);
    return this.state.nodes.filter((node) => node.role === 'broker' && (unseen || isSameProcess(node)));
  }

  /** The one node that a selector stands for. */
  async node(text: string): Promise<NodeId> {
    const nodes = await this.nodes(text);
    if (nodes.length !== 1)
      throw new Problem('HW2301', `${text} stands for ${nodes.length} nodes (${nodes.join(', ')}); name one`);
    return nodes[0]!;
  }

  /** The nodes that a selector stands for now. */
  async nodes(text: string): Promise<readonly NodeId[]> {
    const selector = parseSelector(text);
    if (typeof selector === 'string') throw new Problem('HW2301', selector);
    const needsPartitions = 'of' in selector || selector.kind === 'coordinator';
    const found = resolveSelector(selector, needsPartitions ? await this.#view() : this.#viewWithoutPartitions());
    if (typeof found === 'string') throw new Problem('HW2301', found);
    return found;
  }

  /** Awaits a call; a node that cannot be reached becomes a Problem that says so. */
  async reach<T>(whom: string, call: Promise<T>): Promise<T> {
    try {
      return await call;
    } catch (error) {
      if (!(error instanceof CallFailed)) throw error;
      const why =
        error.code === 'UNAVAILABLE'
          ? 'is not running or cannot be reached'
          : error.code === 'DEADLINE_EXCEEDED'
            ? 'did not answer in time'
            : error.message;
      throw new Problem(
        'HW4001',
        `${whom} ${why}. See: highwater node list --cluster ${this.state.name}`,
        EXIT.unreachable,
      );
    }
  }

  close(): void {
    for (const remote of [...this.#open, ...this.#remotes.values()]) remote.close();
  }

  /** One connection a node and service, until a call on it fails: who waits for something asks again and again. */
  async #call<M extends ControllerMethods | BrokerMethods, T>(
    service: string,
    node: NodeState,
    call: (remote: RemoteService<M>) => Promise<T>,
  ): Promise<T> {
    const key = `${service} ${node.id}`;
    let remote = this.#remotes.get(key) as RemoteService<M> | undefined;
    if (remote === undefined) {
      const { state } = this;
      remote = new RemoteService<M>(service, {
        host: hostOf(state, node),
        port: node.grpcPort,
        secret: state.secret,
      });
      this.#remotes.set(key, remote);
    }
    try {
      return await this.reach(node.role === 'controller' ? 'the controller' : `broker ${node.id}`, call(remote));
    } catch (error) {
      // The next call connects at once, to a process that may have been started meanwhile.
      if (this.#remotes.get(key) === remote) this.#remotes.delete(key);
      remote.close();
      throw error;
    }
  }

  async #view(): Promise<ClusterView> {
    const { topics } = await this.controller('DescribeCluster', {});
    return {
      ...this.#viewWithoutPartitions(),
      partition: ({ topic, partition }) =>
        topics.find(({ name }) => name === topic)?.partitions.find((each) => each.partition === partition),
      partitionCount: (topic) => topics.find(({ name }) => name === topic)?.partitions.length ?? 0,
    };
  }

  #viewWithoutPartitions(): ClusterView {
    return {
      controller: CONTROLLER_ID,
      brokers: this.brokerIds(),
      partition: () => undefined,
      partitionCount: () => 0,
      below: (bound) => Math.floor(Math.random() * bound),
    };
  }
}

/** Checks a cluster's name. */
export function checkClusterName(name: string): void {
  if (CLUSTER_NAME.test(name)) return;
  throw new Problem('HW2001', `"${name}" is no cluster name: 1 to 63 characters of a-z, 0-9 and -`);
}

/** Opens a recorded cluster by name. Throws a Problem that names those there are. */
export function openCluster(name: string): Cluster {
  return new Cluster(recordedCluster(name));
}

/** What is recorded of a cluster, without calling anybody. Throws a Problem that names those there are. */
export function recordedCluster(name: string): ClusterState {
  checkClusterName(name);
  const state = readState(name);
  if ('problem' in state) {
    const known = recordedClusters();
    const hint =
      known.length === 0
        ? 'Start one: highwater up'
        : `Recorded: ${known.join(', ')}. Use --cluster NAME or HIGHWATER_CLUSTER`;
    throw new Problem('HW4001', `${state.problem}. ${hint}`, EXIT.unreachable);
  }
  return state;
}

/** Runs `use` with a cluster and closes its connections. */
export async function withCluster<T>(name: string, use: (cluster: Cluster) => Promise<T>): Promise<T> {
  const cluster = openCluster(name);
  try {
    return await use(cluster);
  } finally {
    cluster.close();
  }
}

/** The home that commands work in; for messages. */
export const home = highwaterHome;
