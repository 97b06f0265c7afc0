// repl I-12: an election that is not marked unclean takes its leader from the ISR before it, or from the one that a leader
// proposed with the same change; from the ELR if the ISR was or became empty (repl R-95, R-98).
import { NO_LEADER } from '../../../base/units.ts';
import type { MetadataRecord } from '../../../protocol/generated/index.ts';
import type { Invariant } from '../invariant.ts';
import type { TraceView } from '../view/trace-view.ts';
import { decidedBy, violation } from './decided-by.ts';

/** I-12. */
export function electionIsClean(view: TraceView): Invariant {
  return {
    name: 'repl I-12',
    on: ['metadata.committed'],
    momentary: true,
    onEvent({ event }) {
      if (event.type !== 'metadata.committed' || event.unclean === true) return undefined;
      const change = (event.record as MetadataRecord).partitionChange;
      if (!change?.hasLeader || change.leader === NO_LEADER || change.leaderRecoveryState === 'RECOVERING') {
        return undefined;
      }
      const decided = decidedBy(view, event);
      const before = decided?.states[decided.states.length - 2];
      if (decided === undefined || before === undefined || before.isr.includes(change.leader)) return undefined;
      // Such a change may end a reassignment, which takes the proposing leader away (repl R-107).
      if (change.reason === 'isr-expand' && change.isr?.ids.includes(change.leader)) return undefined;
      if (before.elr.includes(change.leader) && before.isr.length <= 1) return undefined;
      const sets = `ISR [${before.isr.join()}]${before.elr.length === 0 ? '' : ` and ELR [${before.elr.join()}]`}`;
      const detail = `${change.leader} was elected as if clean (${change.reason}) from ${sets}`;
      return violation('repl I-12', decided, detail);
    },
    sweep: () => [],
  };
}
