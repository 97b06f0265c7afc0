// repl I-15: whenever acks=all is answered with success, the high watermark is above the last record, and the maximal ISR has
// at least as many members as the effective min ISR. No exceptions.
import type { TraceEvent } from '../../../trace/events.ts';
import type { Invariant } from '../invariant.ts';
import type { TraceView } from '../view/trace-view.ts';

/** I-15. */
export function answeredIsCommitted(view: TraceView): Invariant {
  return {
    name: 'repl I-15',
    on: ['produce.answered'],
    momentary: true,
    onEvent({ node, event }) {
      if (!isAckOfAll(event)) return undefined;
      const { lastOffset, highWatermark, maximalIsr, minIsr, leaderEpoch } = event;
      const why =
        highWatermark <= lastOffset
          ? `with high watermark ${highWatermark}`
          : maximalIsr.length < minIsr
            ? `with maximal ISR [${maximalIsr.join()}] below min ISR ${minIsr}`
            : undefined;
      if (why === undefined) return undefined;
      const detail = `leader ${node} of epoch ${leaderEpoch} acknowledged acks=all up to ${lastOffset} ${why}`;
      return { invariant: 'repl I-15', subject: view.replica(node, event).name, detail };
    },
    sweep: () => [],
  };
}

type Answered = Extract<TraceEvent, { type: 'produce.answered' }>;

/** A success that promises that the record stays. */
export function isAckOfAll(event: TraceEvent): event is Answered {
  return event.type === 'produce.answered' && event.acks === -1 && event.error === 'NONE' && event.lastOffset >= 0;
}
