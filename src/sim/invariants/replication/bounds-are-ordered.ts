// repl I-1: every replica has log start <= last stable offset <= high watermark <= log end. No exceptions. Of the last stable
// offset, which is told only while something is open, txn INV-1 speaks (stable-offset-is-bound.ts).
import { found, type Invariant, type Violation } from '../invariant.ts';
import type { ReplicaView } from '../view/replica-view.ts';
import type { TraceView } from '../view/trace-view.ts';

const NAME = 'repl I-1';

export function boundsAreOrdered(view: TraceView): Invariant {
  /** Some twice. */
  const touched: ReplicaView[] = [];
  return {
    name: NAME,
    on: ['log.opened', 'log.appended', 'log.truncated', 'log.start', 'hw'],
    onEvent({ node, event }) {
      if ('topicId' in event) touched.push(view.replica(node, event));
      return undefined;
    },
    // Restarting a log elsewhere is told as a cut and a new start: judged when both are told.
    onTurnEnd() {
      let violation: Violation | undefined;
      for (const replica of touched) violation ??= check(replica);
      touched.length = 0;
      return violation;
    },
    sweep: () => found(...[...view.replicas()].map(check)),
  };
}

function check({ name, node, logStartOffset, highWatermark, logEndOffset }: ReplicaView): Violation | undefined {
  if (logStartOffset <= highWatermark && highWatermark <= logEndOffset) return undefined;
  const detail = `replica ${node} has log start ${logStartOffset}, high watermark ${highWatermark}, log end ${logEndOffset}`;
  return { invariant: NAME, subject: name, detail };
}
