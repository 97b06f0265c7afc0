// repl I-11: no broker that is fenced or shutting down is in any ISR. With the ELR off the last member of one stays in it, without
// a leader (repl R-92).
import { NO_LEADER } from '../../../base/units.ts';
import { found, type Invariant, type Violation } from '../invariant.ts';
import { currentOf, type Decided } from '../view/metadata-fold.ts';
import type { TraceView } from '../view/trace-view.ts';
import { violation } from './decided-by.ts';

/** I-11. */
export function isrIsActive(view: TraceView): Invariant {
  let touched = false;
  const check = (decided: Decided): Violation | undefined => {
    const { leader, isr } = currentOf(decided);
    if (!view.metadata.hasElr && isr.length === 1 && leader === NO_LEADER) return undefined;
    const out = isr.find((id) => {
      const broker = view.metadata.brokers.get(id);
      return broker === undefined || broker.fenced || broker.inControlledShutdown;
    });
    if (out === undefined) return undefined;
    return violation('repl I-11', decided, `${out} is fenced or shutting down, but in ISR [${isr.join()}]`);
  };
  const sweep = (): Violation[] => found(...[...view.metadata.partitions()].map(check));
  return {
    name: 'repl I-11',
    on: ['metadata.committed'],
    onEvent() {
      touched = true;
      return undefined;
    },
    // The records of one decision are committed as a whole and told one by one (repl ).
    onTurnEnd() {
      if (!touched) return undefined;
      touched = false;
      return sweep()[0];
    },
    sweep,
  };
}
