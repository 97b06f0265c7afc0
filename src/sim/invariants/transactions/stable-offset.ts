// The last stable offset of a replica (txn T-126, T-127): the one that follows from its log and high watermark, and the one that it
// told last, which it does only while something is open. Shared by the rules about it, judges nothing.
import type { Offset } from '../../../base/units.ts';
import type { TraceEvent } from '../../../trace/events.ts';
import type { Invariant, Violation } from '../invariant.ts';
import type { ReplicaView } from '../view/replica-view.ts';
import type { TraceView } from '../view/trace-view.ts';

type Told = Extract<TraceEvent, { type: 'lso' }>;

/** The last stable offset that follows from what stands in a replica's log. */
export function stableOffset(view: TraceView, replica: ReplicaView): Offset {
  const { highWatermark, logStartOffset } = replica;
  const first = view.transactions.of(replica).firstUnstable(highWatermark);
  return first === undefined ? highWatermark : Math.min(Math.max(first, logStartOffset), highWatermark);
}

/**
 * A rule about the last stable offset that a replica has, by what it told since its log was opened. Judged between turns, because
 * a high watermark and what follows from it are told one after the other.
 */
export function stableOffsetToldIs(
  view: TraceView,
  name: string,
  problem: (lastStableOffset: Offset, replica: ReplicaView) => string | undefined,
): Invariant {
  const last = new Map<ReplicaView, Told>();
  const touched = new Set<ReplicaView>();
  const check = (replica: ReplicaView): Violation | undefined => {
    const event = last.get(replica);
    if (event === undefined) return undefined;
    // Once nothing is unstable it is the high watermark, and is not told.
    const lastStableOffset = event.firstUnstableOffset < 0 ? replica.highWatermark : event.to;
    const why = problem(lastStableOffset, replica);
    if (why === undefined) return undefined;
    const detail = `replica ${replica.node} has last stable offset ${lastStableOffset}, and ${why}`;
    return { invariant: name, subject: replica.name, detail };
  };
  return {
    name,
    on: ['lso', 'log.opened', 'log.truncated', 'hw'],
    onEvent({ node, event }) {
      const replica = 'topicId' in event ? view.partition(event)?.replicas.get(node) : undefined;
      if (replica === undefined) return undefined;
      if (event.type === 'lso') last.set(replica, event);
      else if (event.type === 'log.opened') last.delete(replica);
      touched.add(replica);
      return undefined;
    },
    onTurnEnd() {
      let violation: Violation | undefined;
      for (const replica of touched) violation ??= check(replica);
      touched.clear();
      return violation;
    },
    sweep: () => [...view.replicas()].flatMap((replica) => check(replica) ?? []),
  };
}
