// What a driver of processes needs of the place where its nodes run: a cluster of the run's own, or one that runs already.
// Whoever implements it carries out and tells; a refusal is a sentence, empty if it was done.
import type { ClusterState } from '../../agent/home.ts';
import type { Refused } from '../../agent/node-link.ts';
import type { NodeId } from '../../base/units.ts';
import type { Safeguard } from '../../fault/safeguards.ts';
import type { FaultSpec, FaultStatus } from '../../protocol/generated/index.ts';
import type { Stamped } from '../../trace/events.ts';
import type { ClusterSetup, NodeState } from '../driver.ts';

/** What is told of nodes: everything that one wrote before it died before its death. */
export interface NodesTold {
  event(stamped: Stamped): void;
  state(node: NodeId, state: NodeState): void;
  /** It is gone, by this signal if by one. Told before its state is. */
  exited(node: NodeId, signal: string): void;
}

export interface Hands {
  /** Has the nodes run as the setup says, without its topics, and tells of them from then on. Once. Rejects with a sentence. */
  open(setup: ClusterSetup, told: NodesTold): Promise<ClusterState>;
  /** The run is over. Nothing is told any more when it resolves. */
  close(): Promise<void>;

  arm(fault: FaultSpec): Promise<Refused>;
  /** @param id "*" for all. */
  disarm(id: string): Promise<Refused>;
  release(id: string): Promise<Refused>;
  faults(): Promise<readonly FaultStatus[]>;
  setLink(from: NodeId, to: NodeId, cut: boolean): Promise<Refused>;
  setSafeguard(name: Safeguard, on: boolean): Promise<Refused>;

  kill(node: NodeId, cause: string): Promise<Refused>;
  pause(node: NodeId, cause: string): Promise<Refused>;
  resume(node: NodeId): Promise<Refused>;
  stop(node: NodeId, cause: string): Promise<Refused>;
  start(node: NodeId, how: { readonly wipe: boolean; readonly truncateTail: number }): Promise<Refused>;
  /** As it was told last. */
  stateOf(node: NodeId): NodeState | undefined;
}

/** How a node is, as its agent lists it. */
export function stateListed({ pid, state }: { readonly pid: number; readonly state: string }): NodeState {
  if (pid === 0) return 'down';
  return state === 'paused' ? 'paused' : 'running';
}
