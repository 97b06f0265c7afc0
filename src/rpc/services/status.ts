// NodeStatusService (proto/events.proto): how this node is, for scripts and health checks. Needs no secret.
import type * as pb from '../../protocol/generated/index.ts';
import type { LocalMethods } from '../local-service.ts';

/** The methods of NodeStatusService. */
export type NodeStatusMethods = {
  GetNodeStatus: { request: pb.NodeStatusRequest; response: pb.NodeStatusResponse };
};

/** What a node says about itself. */
export type NodeStatusBody = Omit<pb.NodeStatusResponse, 'lamport'>;

/** Serves what `status` answers at the moment of the call. */
export function nodeStatus(status: () => NodeStatusBody): LocalMethods<NodeStatusMethods> {
  return { GetNodeStatus: status };
}
