// repl I-7: below both their high watermarks two replicas hold the same batches. Excused after unclean elections (U) and lost
// tails (P); where a cleaner was, batches at the same offset must still be of one epoch and end at one offset (txn T-114).
import type { Offset } from '../../../base/units.ts';
import type { BatchMark } from '../../../trace/events.ts';
import type { Invariant, Violation } from '../invariant.ts';
import { firstEndingFrom, type ReplicaView, sameBatch } from '../view/replica-view.ts';
import type { TraceView } from '../view/trace-view.ts';
import { different, sweepPairs } from './log-pairs.ts';

/** I-7. A high watermark that rose makes a new piece of log comparable with each other replica. */
export function committedLogsMatch(view: TraceView): Invariant {
  return {
    name: 'repl I-7',
    on: ['hw', 'log.opened'],
    onEvent({ node, event }) {
      if (event.type !== 'hw' && event.type !== 'log.opened') return undefined;
      const partition = view.partition(event);
      const replica = partition?.replicas.get(node);
      if (partition === undefined || replica === undefined || partition.excused) return undefined;
      const from = event.type === 'hw' ? event.from : 0;
      for (const other of partition.replicas.values()) {
        if (other === replica || other.highWatermark <= from) continue;
        const violation = compareCommitted(replica, other, from, partition.cleanedTo);
        if (violation !== undefined) return violation;
      }
      return undefined;
    },
    sweep: () =>
      sweepPairs(view, (a, b, { excused, cleanedTo }) => (excused ? undefined : compareCommitted(a, b, 0, cleanedTo))),
  };
}

/** Compares all batches in [from, both high watermarks) that both logs should hold. */
function compareCommitted(a: ReplicaView, b: ReplicaView, from: Offset, cleanedTo: Offset): Violation | undefined {
  const start = Math.max(from, a.logStartOffset, b.logStartOffset, cleanedTo);
  if (from < cleanedTo) {
    const violation = compareCleaned(a, b, from, Math.min(a.highWatermark, b.highWatermark, cleanedTo));
    if (violation !== undefined) return violation;
  }
  const end = Math.min(a.highWatermark, b.highWatermark);
  let [i, j] = [firstEndingFrom(a.batches, start), firstEndingFrom(b.batches, start)];
  for (; ; i++, j++) {
    const [one, other] = [below(a.batches[i], end), below(b.batches[j], end)];
    if (one === undefined && other === undefined) return undefined;
    if (one === undefined || other === undefined || !sameBatch(one, other)) {
      return different('repl I-7', a, b, [one, other]);
    }
  }
}

/** Where cleaners were: what both logs hold at an offset is of one epoch and ends at one offset. */
function compareCleaned(a: ReplicaView, b: ReplicaView, from: Offset, end: Offset): Violation | undefined {
  const theirs = new Map(b.batches.map((batch) => [batch.baseOffset, batch]));
  for (let i = firstEndingFrom(a.batches, from); i < a.batches.length; i++) {
    const batch = a.batches[i]!;
    if (batch.baseOffset >= end) return undefined;
    const twin = theirs.get(batch.baseOffset);
    if (twin === undefined || (twin.leaderEpoch === batch.leaderEpoch && twin.lastOffset === batch.lastOffset))
      continue;
    return different('repl I-7', a, b, [batch, twin]);
  }
  return undefined;
}

function below(batch: BatchMark | undefined, end: Offset): BatchMark | undefined {
  return batch !== undefined && batch.baseOffset < end ? batch : undefined;
}
