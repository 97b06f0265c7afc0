// repl I-10 to I-13: what the controller may decide about an ISR, and that the leader knows of all it may have decided.
// With the ELR off an ISR is never empty, and its last member stays in it without a leader (repl R-92).
import { formatPartition, NO_LEADER } from '../../base/units.ts';
import type { MetadataRecord } from '../../protocol/generated/index.ts';
import type { TraceEvent } from '../../trace/events.ts';
import type { Invariant, Violation } from './invariant.ts';
import { found } from './invariant.ts';
import { currentOf, type Decided } from './metadata-fold.ts';
import type { TraceView } from './trace-view.ts';

/** The partition that a committed record is about. */
function decidedBy(view: TraceView, event: TraceEvent): Decided | undefined {
  if (event.type !== 'metadata.committed') return undefined;
  const record = event.record as MetadataRecord;
  const place = record.partitionChange ?? record.partition;
  return place ? view.metadata.partition(place.topicId, place.partition) : undefined;
}

function violation(invariant: string, { topic, partition }: Decided, detail: string): Violation {
  return { invariant, subject: formatPartition(topic, partition), detail };
}

/** I-10: the leader is in the ISR, the ISR among the replicas, nobody in it eligible besides, and with the ELR off not empty. */
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

/** I-11: no fenced or shutting-down broker in an ISR, but, with the ELR off, for a sole member without a leader. */
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
    // The records of one decision are committed as a whole and told one by one (repl R-88, R-91, R-94).
    onTurnEnd() {
      if (!touched) return undefined;
      touched = false;
      return sweep()[0];
    },
    sweep,
  };
}

/**
 * I-12: a clean election takes its leader from the ISR before it, or from the one that a leader proposed with the change; from
 * the ELR if the ISR was or became empty.
 */
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

/** I-13: the leader's maximal ISR holds the controller's ISR and ELR, in one leader epoch and with enough members. */
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
