// repl I-3: at each advance of a leader its high watermark is at or below its own log end and the end that it has recorded, in this
// leadership (repl ), of every member of its maximal ISR (repl R-43). No exceptions.
import type { NodeId } from '../../../base/units.ts';
import type { Invariant } from '../invariant.ts';
import type { TraceView } from '../view/trace-view.ts';
import { type Advance, advanceOf } from './advance.ts';

/** I-3. */
export function advanceIsRecorded(view: TraceView): Invariant {
  const check = (node: NodeId, advance: Advance): string | undefined => {
    const leader = view.replica(node, advance);
    if (advance.to > leader.logEndOffset) return `its log ends at ${leader.logEndOffset}`;
    for (const id of leader.maximalIsr) {
      if (id === node) continue;
      const recorded = Math.min(leader.recorded.get(id) ?? -1, advance.recorded?.[id] ?? Infinity);
      if (recorded < advance.to) return `${id}, in its maximal ISR, was recorded at ${recorded}`;
    }
    return undefined;
  };
  return {
    name: 'repl I-3',
    on: ['hw'],
    momentary: true,
    onEvent({ node, event }) {
      const advance = advanceOf(event);
      const why = advance && check(node, advance);
      if (advance === undefined || why === undefined) return undefined;
      const detail = `leader ${node} of epoch ${advance.leaderEpoch} advanced to ${advance.to}, but ${why}`;
      return { invariant: 'repl I-3', subject: view.replica(node, advance).name, detail };
    },
    sweep: () => [],
  };
}
