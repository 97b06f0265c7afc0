// txn INV-1, INV-16, INV-20 and the broker's part of INV-3: the last stable offset of every replica is what its own log and
// high watermark make it (txn T-126, T-127), it never falls under one leader, and read_committed is served below it. It is told
// only while something is open: until then it is the high watermark.
import type { LeaderEpoch, Offset } from '../../base/units.ts';
import type { TraceEvent } from '../../trace/events.ts';
import type { Invariant, Violation } from './invariant.ts';
import type { ReplicaView } from './replica-view.ts';
import type { TraceView } from './trace-view.ts';

type Told = Extract<TraceEvent, { type: 'lso' }>;

/** The last stable offset that follows from what stands in a replica's log. */
function stableOffset(view: TraceView, replica: ReplicaView): Offset {
  const { highWatermark, logStartOffset } = replica;
  const first = view.transactions.of(replica).firstUnstable(highWatermark);
  return first === undefined ? highWatermark : Math.min(Math.max(first, logStartOffset), highWatermark);
}

/**
 * INV-1: logStart <= LSO <= HW, where the LSO is what was told last. Judged between turns, because a high watermark and
 * what follows from it are told one after the other.
 */
export function stableOffsetIsBound(view: TraceView): Invariant {
  return told(view, 'txn INV-1', (to, replica) => {
    if (replica.logStartOffset <= to && to <= replica.highWatermark) return undefined;
    return `it lies outside log start ${replica.logStartOffset} and high watermark ${replica.highWatermark}`;
  });
}

/** INV-16: nothing open, and nothing whose marker is not below the high watermark, lies below the LSO. */
export function undecidedPinsStableOffset(view: TraceView): Invariant {
  return told(view, 'txn INV-16', (to, replica) => {
    const bound = stableOffset(view, replica);
    return to <= bound || view.isCleaned(replica.name) ? undefined : `its log is undecided from ${bound} on`;
  });
}

/** A rule about the last stable offset that a replica has, by what it told since its log was opened. */
function told(
  view: TraceView,
  name: string,
  problem: (lastStableOffset: Offset, replica: ReplicaView) => string | undefined,
): Invariant {
  const last = new Map<ReplicaView, Told>();
  const touched = new Set<ReplicaView>();
  const check = (replica: ReplicaView): Violation | undefined => {
    const event = last.get(replica);
    if (event === undefined) return undefined;
    // Once nothing is unstable it is the high watermark, and is not told.
    const lastStableOffset = event.firstUnstableOffset < 0 ? replica.highWatermark : event.to;
    const why = problem(lastStableOffset, replica);
    if (why === undefined) return undefined;
    const detail = `replica ${replica.node} has last stable offset ${lastStableOffset}, and ${why}`;
    return { invariant: name, subject: replica.name, detail };
  };
  return {
    name,
    on: ['lso', 'log.opened', 'log.truncated', 'hw'],
    onEvent({ node, event }) {
      const replica = 'topicId' in event ? view.partition(event)?.replicas.get(node) : undefined;
      if (replica === undefined) return undefined;
      if (event.type === 'lso') last.set(replica, event);
      else if (event.type === 'log.opened') last.delete(replica);
      touched.add(replica);
      return undefined;
    },
    onTurnEnd() {
      let violation: Violation | undefined;
      for (const replica of touched) violation ??= check(replica);
      touched.clear();
      return violation;
    },
    sweep: () => [...view.replicas()].flatMap((replica) => check(replica) ?? []),
  };
}

/** INV-3: a read_committed consumer is given nothing that may still be aborted. */
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

/** INV-20: one leader never lowers its last stable offset. */
export function stableOffsetNeverFalls(view: TraceView): Invariant {
  const highest = new Map<ReplicaView, { readonly epoch: LeaderEpoch; readonly offset: Offset }>();
  return {
    name: 'txn INV-20',
    on: ['lso', 'consumer.served'],
    momentary: true,
    onEvent({ node, event }) {
      if (event.type !== 'lso' && event.type !== 'consumer.served') return undefined;
      const replica = view.partition(event)?.replicas.get(node);
      if (replica === undefined) return undefined;
      const offset = event.type === 'lso' ? event.to : event.lastStableOffset;
      if (offset === undefined || replica.role !== 'leader' || event.leaderEpoch !== replica.leaderEpoch)
        return undefined;
      const known = highest.get(replica);
      const before = known?.epoch === event.leaderEpoch ? known.offset : 0;
      highest.set(replica, { epoch: event.leaderEpoch, offset: Math.max(before, offset) });
      if (offset >= before) return undefined;
      const detail = `leader ${node} of epoch ${event.leaderEpoch} lowered its last stable offset from ${before} to ${offset}`;
      return { invariant: 'txn INV-20', subject: replica.name, detail };
    },
    sweep: () => [],
  };
}
