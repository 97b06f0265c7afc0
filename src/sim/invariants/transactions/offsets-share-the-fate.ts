// txn INV-2, the trace's part: pending offsets of a group come into force by a COMMIT marker in their own log and come to nothing by
// an ABORT (txn T-67). That all partitions of a transaction share one fate is for the checkers to see.
import type { Invariant, Violation } from '../invariant.ts';
import { firstEndingFrom } from '../view/replica-view.ts';
import { offsetsName, type TraceView } from '../view/trace-view.ts';

/** What became of pending offsets, the marker that does that, and a verb. */
const FATES: Readonly<Record<string, { readonly outcome: 'commit' | 'abort'; readonly fate: string }>> = {
  materialised: { outcome: 'commit', fate: 'put' },
  overtaken: { outcome: 'commit', fate: 'passed over' },
  dropped: { outcome: 'abort', fate: 'dropped' },
};

/** INV-2. */
export function offsetsShareTheFate(view: TraceView): Invariant {
  return {
    name: 'txn INV-2',
    on: ['group.offsets'],
    momentary: true,
    onEvent({ node, event }): Violation | undefined {
      if (event.type !== 'group.offsets') return undefined;
      const { outcome, fate } = FATES[event.kind] ?? {};
      const replica = view.named(offsetsName(event.partition))?.replicas.get(node);
      if (outcome === undefined || replica === undefined || view.isCleaned(replica.name)) return undefined;
      const batch = replica.batches[firstEndingFrom(replica.batches, event.recordOffset)];
      const marker = batch?.baseOffset === event.recordOffset ? batch.marker : undefined;
      if (marker?.outcome === outcome && marker.producerId === event.producerId) return undefined;
      const stands = marker === undefined ? 'no marker' : `a ${marker.outcome} marker of producer ${marker.producerId}`;
      const detail = `broker ${node} ${fate} offsets of producer ${event.producerId} by ${event.recordOffset}, where ${stands} stands`;
      return { invariant: 'txn INV-2', subject: replica.name, detail };
    },
    sweep: () => [],
  };
}
