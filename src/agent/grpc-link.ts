// The agent's calls to a node, over gRPC: NodeFaults of proto/faults.proto.
import type * as pb from '../protocol/generated/index.ts';
import { RemoteService } from '../rpc/remote-service.ts';
import type { NodeState } from './home.ts';
import type { NodeLink, Refused } from './node-link.ts';

type Methods = {
  ArmFault: { request: pb.ArmFaultRequest; response: pb.FaultAck };
  DisarmFault: { request: pb.FaultId; response: pb.FaultAck };
  ReleaseFault: { request: pb.FaultId; response: pb.FaultAck };
  ListFaults: { request: pb.ListFaultsRequest; response: pb.ListFaultsResponse };
  SetLink: { request: pb.SetLinkRequest; response: pb.FaultAck };
  SetSafeguard: { request: pb.SetSafeguardRequest; response: pb.FaultAck };
};

const CALL_MS = 5000;

/** Opens the link to a node of this host. */
export function grpcLink(node: NodeState, host: string, secret: string): NodeLink {
  const remote = new RemoteService<Methods>('NodeFaults', { host, port: node.grpcPort, secret });
  const ack = async (call: Promise<pb.FaultAck>): Promise<Refused> => (await call).refused;
  return {
    arm: (fault) => ack(remote.call('ArmFault', { fault }, CALL_MS)),
    disarm: (id) => ack(remote.call('DisarmFault', { id }, CALL_MS)),
    release: (id) => ack(remote.call('ReleaseFault', { id }, CALL_MS)),
    list: () => remote.call('ListFaults', {}, CALL_MS),
    setLink: (to, cut) => ack(remote.call('SetLink', { to, cut }, CALL_MS)),
    setSafeguard: (name, on) => ack(remote.call('SetSafeguard', { name, on }, CALL_MS)),
    close: () => remote.close(),
  };
}
