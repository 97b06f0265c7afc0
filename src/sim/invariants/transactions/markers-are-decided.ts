// txn INV-18: a marker in a log has a durable decision of its kind for its producer and epoch, made before it (txn T-80). Excused
// are markers that an administrator wrote by hand (txn T-179).
import type { Offset } from '../../../base/units.ts';
import type { BatchMark, Stamped, TransactionMark } from '../../../trace/events.ts';
import type { Invariant, Violation } from '../invariant.ts';
import type { TraceView } from '../view/trace-view.ts';

interface Decision {
  readonly node: number;
  readonly partition: number;
  readonly offset: Offset;
}

/** INV-18. */
export function markersAreDecided(view: TraceView): Invariant {
  /** By decision: true, or where it must still become durable. */
  const decided = new Map<string, true | Decision>();
  const byHand = new Set<number>();
  const isDurable = (name: string): boolean => {
    const decision = decided.get(name);
    if (decision === undefined || decision === true) return decision === true;
    return view.isDurableAt(decision.node, decision.partition, decision.offset);
  };
  return {
    name: 'txn INV-18',
    on: ['txn.record', 'txn.loaded', 'marker.by-hand', 'log.appended'],
    momentary: true,
    onEvent(stamped) {
      const { node, event } = stamped;
      if (event.type === 'marker.by-hand') byHand.add(event.producerId);
      else if (event.type === 'txn.loaded') {
        for (const mark of event.transactions) if (isDecision(mark)) decided.set(nameOf(mark), true);
      } else if (event.type === 'txn.record') {
        const { phase, partition, offset, record } = event;
        if (phase === 'applied' && record !== null && isDecision(record) && !isDurable(nameOf(record)))
          decided.set(nameOf(record), { node, partition, offset });
      } else return undecidedMarker(view, stamped, (name, { producerId }) => isDurable(name) || byHand.has(producerId));
      return undefined;
    },
    sweep: () => [],
  };
}

function undecidedMarker(
  view: TraceView,
  { node, event }: Stamped,
  isDecided: (name: string, marker: NonNullable<BatchMark['marker']>) => boolean,
): Violation | undefined {
  if (event.type !== 'log.appended' || event.role !== 'leader') return undefined;
  for (const { marker, baseOffset } of event.batches) {
    if (marker === undefined) continue;
    const { producerId, producerEpoch, outcome } = marker;
    if (isDecided(`${producerId} ${producerEpoch} ${outcome}`, marker)) continue;
    const what = `a ${outcome} marker of producer ${producerId}, epoch ${producerEpoch}`;
    const detail = `leader ${node} appended ${what} at ${baseOffset}, which no durable record decides`;
    return { invariant: 'txn INV-18', subject: view.replica(node, event).name, detail };
  }
  return undefined;
}

function isDecision({ state }: TransactionMark): boolean {
  return state === 'PrepareCommit' || state === 'PrepareAbort';
}

function nameOf({ producerId, producerEpoch, state }: TransactionMark): string {
  return `${producerId} ${producerEpoch} ${state === 'PrepareCommit' ? 'commit' : 'abort'}`;
}
