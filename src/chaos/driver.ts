// What a run needs of a cluster. Two drivers: processes through an agent, and the simulator. A driver carries out and
// tells; everything else is the engine's: when to act, what the cluster looks like, what it means. Callbacks are called in
// events of their own, never inside the call that was given them; a `refused` is a sentence that says why not.
import type { NodeId, TopicPartition } from '../base/units.ts';
import type { Safeguard } from '../fault/safeguards.ts';
import type { RequestOf, ResponseOf, UnaryApi } from '../protocol/apis.ts';
import type { FaultSpec, FaultStatus } from '../protocol/generated/index.ts';
import type { Stamped } from '../trace/events.ts';
import type { ClientCommand, ClientReport, ClientSpec } from '../workload/spec.ts';
import type { ClusterPlan, ElsewhereAction, TopicPlan } from './plan.ts';

export type Done = (refused?: string) => void;
export type NodeState = 'running' | 'paused' | 'down';

/** What a driver tells, from `start` to `stop`. Each in an event of its own. */
export interface DriverEvents {
  /**
   * Every event of every node: those of one node in order and without gaps, over its restarts; those of several nodes as
   * they come. What a node wrote before it died is told before its state is.
   */
  event(stamped: Stamped): void;
  /** A node or client process changed its state. `down` only when the process is gone. */
  state(node: NodeId, state: NodeState): void;
  /**
   * What a client says, in order. Of a client that was killed, entries that stand in its own history file are told before
   * `exited` is.
   */
  client(id: string, report: ClientReport): void;
  /** A client's process is gone, whatever the reason. */
  clientExited(id: string): void;
}

/** How a run's cluster begins. */
export interface ClusterSetup {
  readonly cluster: ClusterPlan;
  readonly safeguardsOff: readonly Safeguard[];
  /** Created once all brokers are unfenced, with exactly these replicas. */
  readonly topics: readonly TopicPlan[];
  readonly seed: string;
}

export interface ElectionRequest extends TopicPartition {
  readonly type: Extract<ElsewhereAction, { kind: 'elect' }>['type'];
  /** TO: whom; otherwise -1. */
  readonly to: NodeId;
}

export interface ClusterDriver {
  /** ms since the driver was made: virtual in the simulator. */
  now(): number;
  /** Calls `run` once, after at least `delayMs`. */
  after(delayMs: number, run: () => void): { cancel(): void };

  /** Starts controller and brokers on empty disks, creates the topics, and tells from then on. Once. */
  start(setup: ClusterSetup, on: DriverEvents, done: Done): void;
  /** Ends every process of the run, clients included. Nothing is told after `done`. */
  stop(done: () => void): void;

  /** Arms on every running node and client; those that start later have it too. Done when all have it. */
  arm(fault: FaultSpec, done: Done): void;
  /** Removes a fault everywhere and lets go of what it holds. "*": all. */
  disarm(fault: string, done: Done): void;
  /** Lets go of what a fault holds; it stays armed. */
  release(fault: string, done: Done): void;
  /** Armed faults, counts summed over all nodes that run. */
  faults(done: (faults: readonly FaultStatus[]) => void): void;
  /** Cuts or mends what `from` sends to `to`. */
  setLink(from: NodeId, to: NodeId, cut: boolean, done: Done): void;
  setSafeguard(name: Safeguard, on: boolean, done: Done): void;

  /** SIGKILL; done when the process is gone. `cause` names the fault. */
  kill(node: NodeId, cause: string, done: Done): void;
  /** SIGSTOP. */
  pause(node: NodeId, cause: string, done: Done): void;
  /** SIGCONT. */
  resume(node: NodeId, done: Done): void;
  /** Controlled shutdown (repl R-94); done when the process is gone. */
  stopNode(node: NodeId, cause: string, done: Done): void;
  /** Starts a node that is down, on its disk as it is, after a wipe, or without its unflushed tail. Done when it runs. */
  startNode(node: NodeId, how: { readonly wipe: boolean; readonly truncateTail: number }, done: Done): void;
  elect(request: ElectionRequest, done: Done): void;
  /** Begins a reassignment, or calls it off (null). */
  reassign(of: TopicPartition, replicas: readonly NodeId[] | null, done: Done): void;
  deleteTopic(name: string, done: Done): void;

  /** Starts a workload client; it reports from then on. Its node id is 1001 and up, in order of starts. */
  startClient(spec: ClientSpec, done: Done): void;
  /** Tells a client something. Lost if it is gone. */
  tellClient(id: string, command: ClientCommand): void;
  /** The node id of a client that was started. */
  clientNode(id: string): NodeId | undefined;

  /** Asks a broker; undefined if it does not answer in time. */
  ask<A extends UnaryApi>(
    node: NodeId,
    api: A,
    request: RequestOf<A>,
    done: (response: ResponseOf<A> | undefined) => void,
  ): void;
}
