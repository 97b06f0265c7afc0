// What an invariant of repl section 9 is: a fold over the events of all nodes that says when a rule is broken. It reads
// the trace alone, through the view that all of them share, and never a node's memory.
import type { Stamped, TraceEvent } from '../../trace/events.ts';
import type { TraceView } from './view/trace-view.ts';

/** A broken rule. */
export interface Violation {
  /** Its number, e.g. "repl I-7". */
  readonly invariant: string;
  /** What it is about, e.g. "orders-0"; equal for what the events and the sweep find in the same place. */
  readonly subject: string;
  /** One sentence with the numbers that show it. */
  readonly detail: string;
}

export interface Invariant {
  /** E.g. "repl I-7". */
  readonly name: string;
  /** Events that can break it; it is called for no others. */
  readonly on: readonly TraceEvent['type'][];
  /** The view has already folded the event. Looks at what the event touched only. */
  onEvent(stamped: Stamped): Violation | undefined;
  /**
   * The turn of a node is over: its next events are of a later one, or of another node. For rules that hold only
   * between turns, because one step of a core is told in several events. Called if the turn told it anything.
   */
  onTurnEnd?(): Violation | undefined;
  /** Looks at everything, between turns. */
  sweep(): Violation[];
  /** True for rules about the moment of an event, of which a later sweep sees nothing. */
  readonly momentary?: boolean;
}

/** Makes an invariant that reads this view. */
export type MakeInvariant = (view: TraceView) => Invariant;

/** Keeps only what is there. */
export function found(...violations: readonly (Violation | undefined)[]): Violation[] {
  return violations.filter((violation) => violation !== undefined);
}
