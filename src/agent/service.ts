// The agent's service (proto/agent.proto) as plain functions: what each call does, without gRPC.
import type { DescribePlaceResponse, FaultSpec } from '../protocol/generated/index.ts';
import type { Agent } from './agent.ts';
import { hostOf, type ClusterState, type NodeState } from './home.ts';
import type { AgentMethods } from './agent-client.ts';

export type AgentService = {
  readonly [K in keyof AgentMethods]: (request: AgentMethods[K]['request']) => Promise<AgentMethods[K]['response']>;
};

/** @param onShutdown Called once all nodes have ended: the agent's process may go. */
export function agentService(agent: Agent, onShutdown: () => void): AgentService {
  const nodeAck = (id: number, refused: string) => {
    const node = agent.list().find((status) => status.id === id) ?? null;
    return { lamport: 0, refused, node };
  };
  const ack = async (refused: Promise<string>) => ({ lamport: 0, refused: await refused });
  const causeOf = (cause: string): string => (cause === '' ? 'cli' : cause);
  return {
    ListNodes: () => Promise.resolve({ lamport: 0, nodes: agent.list() }),
    StartNode: async ({ id, wipe, truncateTail }) => nodeAck(id, await agent.startNode(id, { wipe, truncateTail })),
    StopNode: async ({ id, cause }) => nodeAck(id, await agent.stopNode(id, causeOf(cause))),
    KillNode: async ({ id, cause }) => nodeAck(id, await agent.killNode(id, causeOf(cause))),
    PauseNode: ({ id, cause }) => Promise.resolve(nodeAck(id, agent.pauseNode(id, causeOf(cause)))),
    ResumeNode: async ({ id }) => nodeAck(id, await agent.resumeNode(id)),
    ArmOnAll: ({ fault }) =>
      ack(fault === null ? Promise.resolve('no fault was given') : agent.faults.arm(fault as FaultSpec)),
    DisarmOnAll: ({ id }) => ack(agent.faults.disarm(id)),
    ReleaseOnAll: ({ id }) => ack(agent.faults.release(id)),
    ListAllFaults: async () => ({ lamport: 0, cutTo: [], ...(await agent.faults.list()) }),
    SetLinkBetween: ({ from, to, cut }) => ack(agent.faults.setLink(from, to, cut)),
    SetSafeguardOnAll: ({ name, on }) => ack(agent.faults.setSafeguard(name, on)),
    LendSettings: ({ settings }) => ack(agent.faults.lend(settings)),
    Heal: ({ owner }) => ack(agent.faults.heal(owner)),
    DescribePlace: () => Promise.resolve({ lamport: 0, ...placeOf(agent) }),
    Advertise: ({ nodes }) => ack(Promise.resolve(agent.advertise(nodes))),
    Shutdown: async ({ graceMs }) => {
      await agent.shutdown(graceMs > 0 ? graceMs : 10_000);
      onShutdown();
      return { lamport: 0, refused: '', node: null };
    },
  };
}

function placeOf({ state, faults }: Agent): Omit<DescribePlaceResponse, 'lamport'> {
  const nodes = state.nodes.map((node) => placeOfNode(state, node));
  const config = Object.entries(state.config).map(([name, value]) => ({ name, value }));
  return { cluster: state.name, timers: state.timers, nodes, affliction: faults.affliction, config };
}

function placeOfNode(state: ClusterState, node: NodeState): DescribePlaceResponse['nodes'][number] {
  const { id, role, grpcPort, kafkaPort, outside } = node;
  const inside = { host: hostOf(state, node), agentPort: node.agentPort ?? state.agent.port, grpcPort, kafkaPort };
  return { id, role, inside, outside: outside ?? null };
}
