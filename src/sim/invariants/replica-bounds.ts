// repl I-1: every replica has logStart <= LSO <= HW <= LEO. Until there are transactions the last stable offset is the
// high watermark. No exceptions.
import type { Invariant, Violation } from './invariant.ts';
import { found } from './invariant.ts';
import type { ReplicaView } from './replica-view.ts';
import type { TraceView } from './trace-view.ts';

const NAME = 'repl I-1';

export function replicaBounds(view: TraceView): Invariant {
  const touched = new Set<ReplicaView>();
  return {
    name: NAME,
    on: ['log.opened', 'log.appended', 'log.truncated', 'log.start', 'hw'],
    onEvent({ node, event }) {
      if ('topicId' in event) touched.add(view.replica(node, event));
      return undefined;
    },
    // Restarting a log elsewhere is told as a cut and a new start: judged when both are told.
    onTurnEnd() {
      let violation: Violation | undefined;
      for (const replica of touched) violation ??= check(replica);
      touched.clear();
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
