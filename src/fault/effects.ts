// What a fault engine asks of its host: the actions that reach beyond a flow of messages. The simulator carries them
// out at once, a process with signals and through its agent (design section 6). Decides nothing about matching.
import type { NodeId } from '../base/units.ts';
import type { FaultAction } from '../protocol/generated/index.ts';
import type { PointFields } from './reach.ts';

/** A fault that strikes: what a host writes down before it kills or freezes its node. */
export interface Firing {
  /** Id of the fault. */
  readonly fault: string;
  readonly point: string;
  /** Kind of the action, such as "kill". */
  readonly action: string;
  /** Node at whose point it struck. */
  readonly node: NodeId;
  /** Fields of the point as they were. */
  readonly fields: PointFields;
}

export interface FaultEffects {
  /**
   * Ends this node here, as SIGKILL does. The host delivers no event to the cores any more and discards what they still
   * say in this turn; what they had handed to the network before the point leaves. It records the firing itself
   * (`fault.fired`), so that it stands in the node's event file although the node is gone: the engine traces nothing.
   */
  kill(firing: Firing): void;
  /**
   * Freezes this node here, as SIGSTOP does. It records the firing itself, before it freezes. `resumed` is called in an
   * event of its own once the node goes on, by whatever means; then the flow that reached the point continues.
   * @param durationMs Resume after this long; 0: somebody will.
   */
  pause(firing: Firing, durationMs: number, resumed: () => void): void;
  /**
   * Carries out an action on another target (`action.target`: a node id or a selector such as leader(orders-0)), through
   * the agent or the simulator's cluster. The flow waits for `done`, which says why not if it could not be done, and
   * is never called inside this call. The engine records the firing when `done` comes without a refusal.
   */
  elsewhere(firing: Firing, action: FaultAction, done: (refused?: string) => void): void;
}

/** The part of a node's clock that faults use: time to live, delays. The runtime's `Clock` is one. */
export interface FaultClock {
  now(): number;
  after(delayMs: number, run: () => void): { cancel(): void };
}

/** The stream that `probability` draws from: `random.fork('faults')` of the runtime. */
export interface FaultRandom {
  /** In [0, 1). */
  next(): number;
}
