// txn INV-15: who is told again that a batch was appended is told where it stands, and only once it is below the high
// watermark (txn T-98). That the contents are equal is the checkers' to see: they know the values.
import type { Invariant } from '../invariant.ts';
import { firstEndingFrom } from '../view/replica-view.ts';
import type { TraceView } from '../view/trace-view.ts';

export function duplicatesAreThere(view: TraceView): Invariant {
  return {
    name: 'txn INV-15',
    on: ['produce.answered'],
    momentary: true,
    onEvent({ node, event }) {
      if (event.type !== 'produce.answered' || event.duplicate !== true || event.error !== 'NONE') return undefined;
      const { acks, baseOffset, lastOffset, highWatermark } = event;
      const replica = view.partition(event)?.replicas.get(node);
      if (replica === undefined) return undefined;
      const first = replica.batches[firstEndingFrom(replica.batches, baseOffset)];
      const isThere =
        first !== undefined && first.baseOffset <= baseOffset && first.lastOffset >= lastOffset && first.producer;
      const isCovered = acks !== -1 || (lastOffset < highWatermark && lastOffset < replica.highWatermark);
      // What is known of a producer outlives its records (KIP-360).
      const isGone = lastOffset < replica.logStartOffset || view.isCleaned(replica.name);
      if (isCovered && (isThere || isGone)) return undefined;
      const why = isCovered ? 'where no producer wrote them' : `above the high watermark ${highWatermark}`;
      const detail = `broker ${node} acknowledged a duplicate at ${baseOffset}..${lastOffset}, ${why}`;
      return { invariant: 'txn INV-15', subject: replica.name, detail };
    },
    sweep: () => [],
  };
}
