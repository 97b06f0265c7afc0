// repl I-24: what a broker has applied is a beginning of the metadata log that never gets shorter within one process.
// That it applied these records, and not others, shows in what it then does: see I-8 and I-9.
import type { NodeId, Offset } from '../../../base/units.ts';
import type { Invariant } from '../invariant.ts';
import type { TraceView } from '../view/trace-view.ts';

export function metadataIsPrefix(view: TraceView): Invariant {
  const applied = new Map<NodeId, Offset>();
  return {
    name: 'repl I-24',
    on: ['metadata.applied', 'broker.state'],
    momentary: true,
    onEvent({ node, event }) {
      if (event.type === 'broker.state' && event.state === 'STARTING') applied.delete(node);
      if (event.type !== 'metadata.applied') return undefined;
      const before = applied.get(node) ?? 0;
      applied.set(node, event.offset);
      const { endOffset } = view.metadata;
      if (event.offset >= before && event.offset <= endOffset) return undefined;
      const detail = `broker ${node} applied up to ${event.offset}, after ${before}; committed is up to ${endOffset}`;
      return { invariant: 'repl I-24', subject: `broker ${node}`, detail };
    },
    sweep: () => [],
  };
}
