// NodeFaults (proto/faults.proto): arms, lists and removes the faults of this node. Decides nothing.
import type { FaultControls } from '../../host/furnish.ts';
import type * as pb from '../../protocol/generated/index.ts';
import type { LocalMethods } from '../local-service.ts';

/** The methods of NodeFaults. */
export type NodeFaultsMethods = {
  ArmFault: { request: pb.ArmFaultRequest; response: pb.FaultAck };
  DisarmFault: { request: pb.FaultId; response: pb.FaultAck };
  ReleaseFault: { request: pb.FaultId; response: pb.FaultAck };
  ListFaults: { request: pb.ListFaultsRequest; response: pb.ListFaultsResponse };
  SetLink: { request: pb.SetLinkRequest; response: pb.FaultAck };
  SetSafeguard: { request: pb.SetSafeguardRequest; response: pb.FaultAck };
};

const DONE = { refused: '' };

/** Serves the controls of a node. */
export function nodeFaults({ engine, safeguards }: FaultControls): LocalMethods<NodeFaultsMethods> {
  return {
    ArmFault: ({ fault }) => ({ refused: fault === null ? 'no fault was given' : engine.arm(fault) }),
    DisarmFault: ({ id }) => {
      engine.disarm(id);
      return DONE;
    },
    ReleaseFault: ({ id }) => {
      engine.release(id);
      return DONE;
    },
    ListFaults: () => ({
      faults: engine.list(),
      cutTo: [...engine.cutTo],
      cuts: [],
      safeguardsOff: [...safeguards.off],
    }),
    SetLink: ({ to, cut }) => {
      engine.setLink(to, cut);
      return DONE;
    },
    SetSafeguard: ({ name, on }) => ({ refused: safeguards.set(name, on) }),
  };
}
