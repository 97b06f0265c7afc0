// txn INV-3, the broker's part: a read_committed consumer is given nothing that may still be aborted. That it is given all of the
// rest, and none of what was aborted, is for the checkers to see.
import type { Invariant } from '../invariant.ts';
import type { TraceView } from '../view/trace-view.ts';
import { stableOffset } from './stable-offset.ts';

/** INV-3. */
export function committedReadsAreDecided(view: TraceView): Invariant {
  return {
    name: 'txn INV-3',
    on: ['consumer.served'],
    momentary: true,
    onEvent({ node, event }) {
      if (event.type !== 'consumer.served' || event.lastStableOffset === undefined) return undefined;
      const replica = view.partition(event)?.replicas.get(node);
      if (replica === undefined) return undefined;
      const bound = Math.min(event.lastStableOffset, stableOffset(view, replica));
      if (event.endOffset <= bound || view.isCleaned(replica.name)) return undefined;
      const detail = `broker ${node} served read_committed up to ${event.endOffset}; the log is undecided from ${bound} on`;
      return { invariant: 'txn INV-3', subject: replica.name, detail };
    },
    sweep: () => [],
  };
}
