// repl I-6: two replicas that hold a batch of one leader epoch at one offset hold the same log from the later of their log starts
// up to there, byte by byte. A hole is a difference, except below where a cleaner was (txn T-114).
import type { Offset } from '../../../base/units.ts';
import type { BatchMark } from '../../../trace/events.ts';
import type { Invariant, Violation } from '../invariant.ts';
import { firstEndingFrom, type ReplicaView, sameBatch } from '../view/replica-view.ts';
import type { PartitionView, TraceView } from '../view/trace-view.ts';
import { different, sweepPairs } from './log-pairs.ts';

/**
 * I-6. A new batch is compared with the same batch of the others, and its predecessor with theirs; what lies before was
 * compared when the predecessor came.
 */
export function logsMatch(view: TraceView): Invariant {
  return {
    name: 'repl I-6',
    on: ['log.appended', 'log.opened'],
    onEvent({ node, event }) {
      if (event.type !== 'log.appended' && event.type !== 'log.opened') return undefined;
      const partition = view.partition(event);
      const replica = partition?.replicas.get(node);
      if (partition === undefined || replica === undefined) return undefined;
      const first = replica.batches.length - event.batches.length;
      for (const other of partition.replicas.values()) {
        if (other === replica) continue;
        for (let i = Math.max(0, first); i < replica.batches.length; i++) {
          const violation = checkAt(replica, i, other, partition.cleanedTo);
          if (violation !== undefined) return violation;
        }
      }
      return undefined;
    },
    sweep: () => sweepPairs(view, checkPair),
  };
}

/** Compares batch `i` of `a` and its predecessor with what `b` holds there, if it is the same batch by its name. */
function checkAt(a: ReplicaView, i: number, b: ReplicaView, cleanedTo: Offset): Violation | undefined {
  const batch = a.batches[i]!;
  const start = Math.max(a.logStartOffset, b.logStartOffset, cleanedTo);
  if (batch.baseOffset < start) return undefined;
  const j = firstEndingFrom(b.batches, batch.baseOffset);
  const twin = b.batches[j];
  if (twin === undefined || twin.baseOffset !== batch.baseOffset || twin.leaderEpoch !== batch.leaderEpoch) {
    return undefined;
  }
  if (!sameBatch(batch, twin)) return different('repl I-6', a, b, [batch, twin]);
  const [before, twinBefore] = [shared(a.batches[i - 1], start), shared(b.batches[j - 1], start)];
  if (before === undefined && twinBefore === undefined) return undefined;
  if (before !== undefined && twinBefore !== undefined && sameBatch(before, twinBefore)) return undefined;
  return different('repl I-6', a, b, [before, twinBefore]);
}

/** The batch, if it lies in the part that both logs hold. */
function shared(batch: BatchMark | undefined, start: Offset): BatchMark | undefined {
  return batch !== undefined && batch.baseOffset >= start ? batch : undefined;
}

/** By the definition: the last batch that both hold by its name, and everything before it. */
function checkPair(a: ReplicaView, b: ReplicaView, { cleanedTo }: PartitionView): Violation | undefined {
  const start = Math.max(a.logStartOffset, b.logStartOffset, cleanedTo);
  const mine = a.batches.filter((batch) => batch.baseOffset >= start);
  const theirs = b.batches.filter((batch) => batch.baseOffset >= start);
  const index = new Map(theirs.map((batch, j) => [batch.baseOffset, j]));
  let [last, lastTheirs] = [-1, -1];
  mine.forEach((batch, i) => {
    const j = index.get(batch.baseOffset);
    if (j !== undefined && theirs[j]!.leaderEpoch === batch.leaderEpoch) [last, lastTheirs] = [i, j];
  });
  for (let i = 0; i <= Math.max(last, lastTheirs); i++) {
    const [one, other] = [i <= last ? mine[i] : undefined, i <= lastTheirs ? theirs[i] : undefined];
    if (one === undefined || other === undefined || !sameBatch(one, other)) {
      return different('repl I-6', a, b, [one, other]);
    }
  }
  return undefined;
}
