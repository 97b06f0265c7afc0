// repl I-16: what a consumer was given at an offset is what any consumer is ever given there, and what every later leader has
// there. Excused after U and P, below the log start (deleted) and where a cleaner was (txn T-114).
import type { LeaderEpoch, Offset } from '../../../base/units.ts';
import type { BatchMark, TraceEvent } from '../../../trace/events.ts';
import type { Invariant, Violation } from '../invariant.ts';
import { describeBatch, firstEndingFrom, sameBatch, type ReplicaView } from '../view/replica-view.ts';
import type { PartitionView, TraceView } from '../view/trace-view.ts';

/** What consumers were given of a partition, by base offset. */
interface Given {
  readonly batches: Map<Offset, BatchMark>;
  /** The last of them, and the epoch in which it was given first. */
  last: BatchMark | undefined;
  leaderEpoch: LeaderEpoch;
}

type Served = Extract<TraceEvent, { type: 'consumer.served' }>;

/** I-16. The last batch given stands for those before it when a leader starts (repl I-6). */
export function readsAreStable(view: TraceView): Invariant {
  const given = new Map<PartitionView, Given>();
  const givenOf = (partition: PartitionView): Given => {
    let known = given.get(partition);
    if (known === undefined) given.set(partition, (known = { batches: new Map(), last: undefined, leaderEpoch: -1 }));
    return known;
  };
  return {
    name: 'repl I-16',
    on: ['consumer.served', 'leader.started'],
    momentary: true,
    onEvent({ node, event }) {
      if (event.type !== 'consumer.served' && event.type !== 'leader.started') return undefined;
      const partition = view.partition(event);
      const replica = partition?.replicas.get(node);
      if (partition === undefined || replica === undefined || partition.excused || replica.lossy) return undefined;
      if (event.type === 'consumer.served') return take(partition, replica, { event, given: givenOf(partition) });
      const { last, leaderEpoch } = givenOf(partition);
      if (last === undefined || event.leaderEpoch <= leaderEpoch) return undefined;
      if (last.baseOffset < Math.max(replica.logStartOffset, partition.cleanedTo)) return undefined;
      const there = replica.batches[firstEndingFrom(replica.batches, last.lastOffset)];
      if (there !== undefined && sameBatch(there, last)) return undefined;
      return another(replica, last, there);
    },
    sweep: () => [],
  };
}

/** Compares what a consumer is given with what was given there before. */
function take(
  { cleanedTo }: PartitionView,
  replica: ReplicaView,
  { event, given }: { readonly event: Served; readonly given: Given },
): Violation | undefined {
  const { batches } = replica;
  for (let at = firstEndingFrom(batches, event.fetchOffset); at < batches.length; at++) {
    const batch = batches[at]!;
    if (batch.baseOffset >= event.endOffset) break;
    if (batch.baseOffset < cleanedTo) continue;
    const before = given.batches.get(batch.baseOffset);
    if (before !== undefined && !sameBatch(before, batch)) return another(replica, before, batch);
    if (before === undefined) given.batches.set(batch.baseOffset, batch);
    if (given.last === undefined || batch.lastOffset > given.last.lastOffset) {
      given.last = batch;
      given.leaderEpoch = event.leaderEpoch;
    }
  }
  return undefined;
}

function another({ node, name }: ReplicaView, before: BatchMark, there: BatchMark | undefined): Violation {
  const detail = `consumers were given ${describeBatch(before)}; replica ${node} has ${describeBatch(there)} there`;
  return { invariant: 'repl I-16', subject: name, detail };
}
