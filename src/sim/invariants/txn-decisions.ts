// txn INV-18 and the trace's part of INV-2: no marker without a durable decision of its kind, and a group's offsets share the
// fate of their marker. Excused are markers that an administrator wrote by hand (txn T-179).
import type { Offset } from '../../base/units.ts';
import type { BatchMark, Stamped, TransactionMark } from '../../trace/events.ts';
import type { Invariant, Violation } from './invariant.ts';
import { firstEndingFrom } from './replica-view.ts';
import { offsetsName, type TraceView } from './trace-view.ts';

interface Decision {
  readonly node: number;
  readonly partition: number;
  readonly offset: Offset;
}

/** INV-18: what a leader appends as a marker was decided, and nobody can undo it (txn T-80). */
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

/** What became of pending offsets, the marker that does that, and a verb. */
const FATES: Readonly<Record<string, { readonly outcome: 'commit' | 'abort'; readonly fate: string }>> = {
  materialised: { outcome: 'commit', fate: 'put' },
  overtaken: { outcome: 'commit', fate: 'passed over' },
  dropped: { outcome: 'abort', fate: 'dropped' },
};

/** INV-2: pending offsets come into force by a COMMIT marker in their own log and come to nothing by an ABORT (txn T-67). */
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
