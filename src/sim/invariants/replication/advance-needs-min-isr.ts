// repl I-4: a high watermark does not advance while the committed ISR is smaller than the effective min ISR (repl R-45). Members
// that are only proposed do not count. No exceptions.
import type { Invariant } from '../invariant.ts';
import type { TraceView } from '../view/trace-view.ts';
import { advanceOf } from './advance.ts';

/** I-4. */
export function advanceNeedsMinIsr(view: TraceView): Invariant {
  return {
    name: 'repl I-4',
    on: ['hw'],
    momentary: true,
    onEvent({ node, event }) {
      const advance = advanceOf(event);
      if (advance === undefined) return undefined;
      const { name, isr, minIsr } = view.replica(node, advance);
      if (isr.length >= minIsr && (advance.isr ?? isr).length >= (advance.minIsr ?? minIsr)) return undefined;
      const detail = `leader ${node} advanced to ${advance.to} with ISR [${isr.join()}] below min ISR ${minIsr}`;
      return { invariant: 'repl I-4', subject: name, detail };
    },
    sweep: () => [],
  };
}
