// How the agent speaks to one running node: the calls of NodeFaults (proto/faults.proto). Implemented over gRPC in
// grpc-link.ts. Every call is bounded; a node that does not answer refuses with a sentence.
import type { FaultSpec, ListFaultsResponse } from '../protocol/generated/index.ts';

/** Empty if done, else why not. */
export type Refused = string;

export interface NodeLink {
  arm(fault: FaultSpec): Promise<Refused>;
  disarm(id: string): Promise<Refused>;
  release(id: string): Promise<Refused>;
  list(): Promise<Pick<ListFaultsResponse, 'faults' | 'cutTo' | 'safeguardsOff'>>;
  setLink(to: number, cut: boolean): Promise<Refused>;
  setSafeguard(name: string, on: boolean): Promise<Refused>;
  close(): void;
}
