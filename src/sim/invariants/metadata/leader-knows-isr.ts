// repl I-13: whoever the controller has in ISR or ELR is in the maximal ISR of the leader (repl ), if both are in one
// leader epoch and the committed ISR that the leader knows has min ISR members. A shrink that the leader has not seen is fine.
import { found, type Invariant, type Violation } from '../invariant.ts';
import { currentOf, type Decided } from '../view/metadata-fold.ts';
import type { TraceView } from '../view/trace-view.ts';
import { decidedBy, violation } from './decided-by.ts';

/** I-13. */
export function leaderKnowsIsr(view: TraceView): Invariant {
  const check = (decided: Decided | undefined): Violation | undefined => {
    if (decided === undefined) return undefined;
    const { leader, leaderEpoch, isr, elr } = currentOf(decided);
    const replica = view.partition(decided)?.replicas.get(leader);
    if (replica?.role !== 'leader' || replica.leaderEpoch !== leaderEpoch) return undefined;
    const { maximalIsr, minIsr } = replica;
    if (replica.isr.length < minIsr || [...isr, ...elr].every((id) => maximalIsr.includes(id))) return undefined;
    const detail = `the controller has ISR [${isr.join()}], ELR [${elr.join()}], leader ${leader} counts on [${maximalIsr.join()}] only`;
    return violation('repl I-13', decided, detail);
  };
  return {
    name: 'repl I-13',
    on: ['metadata.committed', 'isr', 'leader.started'],
    onEvent({ event }) {
      if (event.type === 'metadata.committed') return check(decidedBy(view, event));
      return 'topicId' in event ? check(view.metadata.partition(event.topicId, event.partition)) : undefined;
    },
    sweep: () => found(...[...view.metadata.partitions()].map(check)),
  };
}
