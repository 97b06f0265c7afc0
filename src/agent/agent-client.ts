// Calls to an agent, for the command line, scenario runs and tests.
import type * as pb from '../protocol/generated/index.ts';
import { RemoteService } from '../rpc/remote-service.ts';
import { isSameProcess } from './process-identity.ts';
import { inContainers, type ClusterState } from './home.ts';

export type AgentMethods = {
  ListNodes: { request: pb.ListNodesRequest; response: pb.ListNodesResponse };
  StartNode: { request: pb.StartNodeRequest; response: pb.NodeAck };
  StopNode: { request: pb.NodeRequest; response: pb.NodeAck };
  KillNode: { request: pb.NodeRequest; response: pb.NodeAck };
  PauseNode: { request: pb.NodeRequest; response: pb.NodeAck };
  ResumeNode: { request: pb.NodeRequest; response: pb.NodeAck };
  ArmOnAll: { request: pb.ArmFaultRequest; response: pb.FaultAck };
  DisarmOnAll: { request: pb.FaultId; response: pb.FaultAck };
  ReleaseOnAll: { request: pb.FaultId; response: pb.FaultAck };
  ListAllFaults: { request: pb.ListFaultsRequest; response: pb.ListFaultsResponse };
  SetLinkBetween: { request: pb.SetLinkBetweenRequest; response: pb.FaultAck };
  SetSafeguardOnAll: { request: pb.SetSafeguardRequest; response: pb.FaultAck };
  LendSettings: { request: pb.LendSettingsRequest; response: pb.FaultAck };
  Heal: { request: pb.HealRequest; response: pb.FaultAck };
  Shutdown: { request: pb.ShutdownRequest; response: pb.NodeAck };
  DescribePlace: { request: pb.DescribePlaceRequest; response: pb.DescribePlaceResponse };
  Advertise: { request: pb.AdvertiseRequest; response: pb.FaultAck };
};

export type AgentClient = RemoteService<AgentMethods>;

/** Opens the calls to a cluster's agent. */
export function agentClient(state: Pick<ClusterState, 'host' | 'agent' | 'secret'>): AgentClient {
  return new RemoteService<AgentMethods>('Agent', { host: state.host, port: state.agent.port, secret: state.secret });
}

/** Whether the recorded agent is alive. Agents in containers cannot be seen from here: asking them tells. */
export function agentAlive(state: ClusterState): boolean {
  return inContainers(state) || isSameProcess(state.agent);
}
