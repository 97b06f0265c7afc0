// repl I-10: a leader is in the ISR, the ISR is among the replicas, nobody is in the ISR and the ELR at once, and the ISR is not
// empty unless the ELR is kept (repl R-98). No exceptions.
import { NO_LEADER } from '../../../base/units.ts';
import { found, type Invariant, type Violation } from '../invariant.ts';
import { currentOf, type Decided } from '../view/metadata-fold.ts';
import type { TraceView } from '../view/trace-view.ts';
import { decidedBy, violation } from './decided-by.ts';

/** I-10. */
export function isrIsSound(view: TraceView): Invariant {
  return {
    name: 'repl I-10',
    on: ['metadata.committed'],
    onEvent({ event }) {
      const decided = decidedBy(view, event);
      return decided && checkSound(decided, view.metadata.hasElr);
    },
    sweep: () => found(...[...view.metadata.partitions()].map((each) => checkSound(each, view.metadata.hasElr))),
  };
}

function checkSound(decided: Decided, hasElr: boolean): Violation | undefined {
  const { leader, isr, elr } = currentOf(decided);
  const eligible = elr.length === 0 ? '' : `, ELR [${elr.join()}]`;
  const at = `leader ${leader}, ISR [${isr.join()}], replicas [${decided.replicas.join()}]${eligible}`;
  const sound =
    (isr.length > 0 || hasElr) &&
    !isr.some((id) => elr.includes(id)) &&
    new Set(isr).size === isr.length &&
    isr.every((id) => decided.replicas.includes(id)) &&
    (leader === NO_LEADER || isr.includes(leader));
  return sound ? undefined : violation('repl I-10', decided, at);
}
