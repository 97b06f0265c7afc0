// txn INV-20: the last stable offsets that one leader reports in one leader epoch never fall.
import type { LeaderEpoch, Offset } from '../../../base/units.ts';
import type { Invariant } from '../invariant.ts';
import type { ReplicaView } from '../view/replica-view.ts';
import type { TraceView } from '../view/trace-view.ts';

/** INV-20. */
export function stableOffsetNeverFalls(view: TraceView): Invariant {
  const highest = new Map<ReplicaView, { readonly epoch: LeaderEpoch; readonly offset: Offset }>();
  return {
    name: 'txn INV-20',
    on: ['lso', 'consumer.served'],
    momentary: true,
    onEvent({ node, event }) {
      if (event.type !== 'lso' && event.type !== 'consumer.served') return undefined;
      const replica = view.partition(event)?.replicas.get(node);
      if (replica === undefined) return undefined;
      const offset = event.type === 'lso' ? event.to : event.lastStableOffset;
      if (offset === undefined || replica.role !== 'leader' || event.leaderEpoch !== replica.leaderEpoch)
        return undefined;
      const known = highest.get(replica);
      const before = known?.epoch === event.leaderEpoch ? known.offset : 0;
      highest.set(replica, { epoch: event.leaderEpoch, offset: Math.max(before, offset) });
      if (offset >= before) return undefined;
      const detail = `leader ${node} of epoch ${event.leaderEpoch} lowered its last stable offset from ${before} to ${offset}`;
      return { invariant: 'txn INV-20', subject: replica.name, detail };
    },
    sweep: () => [],
  };
}
