// repl I-17: no consumer is given a batch that ends at or above the high watermark of the replica that serves it, nor, if it is
// read_committed, at or above its last stable offset. No exceptions. Of the last stable offset txn INV-3 asks more: that it is
// the one that the log has; here is what the answer itself says, and the high watermark that the replica has told.
import type { Invariant } from '../invariant.ts';
import type { TraceView } from '../view/trace-view.ts';

/** I-17. */
export function servedIsBelowBound(view: TraceView): Invariant {
  return {
    name: 'repl I-17',
    on: ['consumer.served'],
    momentary: true,
    onEvent({ node, event }) {
      if (event.type !== 'consumer.served') return undefined;
      const { name, highWatermark } = view.replica(node, event);
      const { endOffset, lastStableOffset } = event;
      const bound = Math.min(highWatermark, lastStableOffset ?? highWatermark);
      if (endOffset <= bound) return undefined;
      const kind = bound < highWatermark ? 'last stable offset' : 'high watermark';
      const detail = `replica ${node} served a consumer up to ${endOffset}, above its ${kind} ${bound}`;
      return { invariant: 'repl I-17', subject: name, detail };
    },
    sweep: () => [],
  };
}
