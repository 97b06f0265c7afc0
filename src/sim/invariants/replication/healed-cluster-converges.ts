// repl I-28: once faults have stopped and the time that healing takes has passed, every partition with an acceptable ISR
// member has a leader, all live replicas are in sync, all logs end at one offset and all of that is committed. Asked by
// who runs the cluster, since no event says that the time has come.
import { NO_LEADER, type NodeId } from '../../../base/units.ts';
import type { Violation } from '../invariant.ts';
import { currentOf, type Decided } from '../view/metadata-fold.ts';
import type { TraceView } from '../view/trace-view.ts';

/** What has not healed. `live` are the brokers that run; a partition whose ISR is dead is excused. */
export function notConverged(view: TraceView, live: readonly NodeId[]): Violation[] {
  const violations: Violation[] = [];
  for (const decided of view.metadata.partitions()) {
    const why = unhealed(view, decided, live);
    if (why === undefined) continue;
    violations.push({ invariant: 'repl I-28', subject: `${decided.topic}-${decided.partition}`, detail: why });
  }
  return violations;
}

function unhealed(view: TraceView, decided: Decided, live: readonly NodeId[]): string | undefined {
  const { leader, isr } = currentOf(decided);
  if (!isr.some((id) => live.includes(id))) return undefined;
  if (leader === NO_LEADER || !live.includes(leader))
    return `leader ${leader}, though ISR [${isr.join()}] has live members`;
  const replicas = view.partition(decided)?.replicas;
  const leaderEnd = replicas?.get(leader)?.logEndOffset;
  for (const id of decided.replicas) {
    if (!live.includes(id)) continue;
    if (!isr.includes(id)) return `${id} is live but not in ISR [${isr.join()}]`;
    const replica = replicas?.get(id);
    if (replica === undefined) return `${id} never opened its log`;
    if (replica.logEndOffset !== leaderEnd)
      return `${id} ends at ${replica.logEndOffset}, leader ${leader} at ${leaderEnd}`;
    if (replica.highWatermark !== replica.logEndOffset) {
      return `${id} has high watermark ${replica.highWatermark} and log end ${replica.logEndOffset}`;
    }
  }
  return undefined;
}
