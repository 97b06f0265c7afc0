// txn INV-12, and with it INV-11: every replica's index of aborted transactions has an entry for each ABORT marker that closes
// data, with the offsets that its own log gives it (txn T-139), and no other. Replicas whose logs agree then have equal indexes.
// A log that is opened rebuilds its index untold.
import type { TraceEvent } from '../../../trace/events.ts';
import type { Invariant, Violation } from '../invariant.ts';
import type { ReplicaView } from '../view/replica-view.ts';
import type { TraceView } from '../view/trace-view.ts';
import type { ClosedTransaction } from '../view/txn-log.ts';

type Entry = Extract<TraceEvent, { type: 'aborted' }>;

export function abortedIndexFits(view: TraceView): Invariant {
  /** Markers that closed data in this turn, and entries that were told. */
  const due = new Map<ReplicaView, ClosedTransaction[]>();
  const told = new Map<ReplicaView, Entry[]>();
  return {
    name: 'txn INV-12',
    on: ['log.appended', 'aborted'],
    momentary: true,
    onEvent({ node, event }) {
      if (event.type === 'aborted') {
        const replica = view.replica(node, event);
        told.set(replica, [...(told.get(replica) ?? []), event]);
      } else if (event.type === 'log.appended') {
        const replica = view.replica(node, event);
        const from = event.batches[0]?.baseOffset ?? Infinity;
        const closed = closedFrom(view, replica, from);
        if (closed.length > 0) due.set(replica, [...(due.get(replica) ?? []), ...closed]);
      }
      return undefined;
    },
    onTurnEnd() {
      if (due.size === 0 && told.size === 0) return undefined;
      let violation: Violation | undefined;
      for (const replica of new Set([...due.keys(), ...told.keys()])) {
        if (!view.isCleaned(replica.name)) violation ??= compare(replica, due.get(replica), told.get(replica));
      }
      due.clear();
      told.clear();
      return violation;
    },
    sweep: () => [],
  };
}

/** Transactions that were aborted by markers from here on. */
function closedFrom(view: TraceView, replica: ReplicaView, from: number): readonly ClosedTransaction[] {
  const { closed } = view.transactions.of(replica);
  let first = closed.length;
  if (first === 0) return closed;
  while (first > 0 && closed[first - 1]!.markerOffset >= from) first -= 1;
  return closed.slice(first).filter(({ outcome }) => outcome === 'abort');
}

function compare(
  { node, name }: ReplicaView,
  due: readonly ClosedTransaction[] = [],
  told: readonly Entry[] = [],
): Violation | undefined {
  const detailOf = (what: string): Violation => ({
    ...{ invariant: 'txn INV-12', subject: name },
    detail: `replica ${node} ${what}`,
  });
  for (const { producerId, firstOffset, markerOffset, lastStableOffset } of due) {
    const entry = told.find((one) => one.lastOffset === markerOffset);
    const what = `the abort of producer ${producerId} from ${firstOffset} to ${markerOffset}`;
    if (entry === undefined) return detailOf(`has no entry for ${what}`);
    const fits = entry.producerId === producerId && entry.firstOffset === firstOffset;
    if (!fits || entry.lastStableOffset !== lastStableOffset) {
      const has = `producer ${entry.producerId} from ${entry.firstOffset}, last stable offset ${entry.lastStableOffset}`;
      return detailOf(`has ${has} for ${what}, last stable offset ${lastStableOffset}`);
    }
  }
  const extra = told.find((one) => !due.some(({ markerOffset }) => markerOffset === one.lastOffset));
  return extra === undefined ? undefined : detailOf(`has an entry at ${extra.lastOffset}, where no abort closes data`);
}
