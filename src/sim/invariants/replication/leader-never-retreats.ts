// repl I-5: from the start of a leadership to its end its high watermark and its log end never fall, and it cuts nothing. A
// restart of the process ends the series.
import type { Offset } from '../../../base/units.ts';
import type { TraceEvent } from '../../../trace/events.ts';
import type { Invariant } from '../invariant.ts';
import type { ReplicaView } from '../view/replica-view.ts';
import type { TraceView } from '../view/trace-view.ts';

/** I-5. */
export function leaderNeverRetreats(view: TraceView): Invariant {
  /** Log end of each leader at its last event. */
  const ends = new Map<ReplicaView, Offset>();
  return {
    name: 'repl I-5',
    on: ['hw', 'log.appended', 'log.truncated', 'log.opened', 'leader.started', 'follower.started', 'log.deleted'],
    momentary: true,
    onEvent({ node, event }) {
      if (!('topicId' in event)) return undefined;
      const replica = view.partition(event)?.replicas.get(node);
      if (replica === undefined) return undefined;
      if (replica.role !== 'leader') {
        ends.delete(replica);
        return undefined;
      }
      const end = ends.get(replica) ?? 0;
      ends.set(replica, event.type === 'leader.started' ? replica.logEndOffset : Math.max(end, replica.logEndOffset));
      const why = retreat(event, end);
      if (why === undefined) return undefined;
      const detail = `leader ${node} of epoch ${replica.leaderEpoch} ${why}`;
      return { invariant: 'repl I-5', subject: replica.name, detail };
    },
    sweep: () => [],
  };
}

function retreat(event: TraceEvent, end: Offset): string | undefined {
  if (event.type === 'hw' && event.to < event.from)
    return `lowered its high watermark from ${event.from} to ${event.to}`;
  if (event.type === 'log.truncated' && event.to < event.from) return `cut its log from ${event.from} to ${event.to}`;
  if (event.type === 'log.appended' && event.logEndOffset < end)
    return `fell back from ${end} to ${event.logEndOffset}`;
  return undefined;
}
