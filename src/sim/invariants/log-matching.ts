// repl I-6 and I-7: logs agree. I-6: two replicas that hold a batch of one epoch at one offset hold the same log up to
// there; I-7: below both high watermarks logs are the same. A hole is a difference, unless a cleaner was there (txn T-114): then
// batches at the same offset must still be of one epoch.
import type { NodeId, Offset } from '../../base/units.ts';
import type { BatchMark } from '../../trace/events.ts';
import type { Invariant, Violation } from './invariant.ts';
import { found } from './invariant.ts';
import { describeBatch, firstEndingFrom, sameBatch, type ReplicaView } from './replica-view.ts';
import type { PartitionView, TraceView } from './trace-view.ts';

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

/** I-7. A high watermark that rose makes a new piece of log comparable with each other replica. Excused after U and P. */
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

type Compare = (a: ReplicaView, b: ReplicaView, partition: PartitionView) => Violation | undefined;

function sweepPairs(view: TraceView, compare: Compare): Violation[] {
  const violations: (Violation | undefined)[] = [];
  for (const partition of view.partitions()) {
    const replicas = [...partition.replicas.values()];
    for (const [i, a] of replicas.entries())
      for (const b of replicas.slice(i + 1)) violations.push(compare(a, b, partition));
  }
  return found(...violations);
}

type Pair = readonly [BatchMark | undefined, BatchMark | undefined];

function different(invariant: string, a: ReplicaView, b: ReplicaView, [one, other]: Pair): Violation {
  // Named in one order, whichever side was looked at first.
  const swapped: boolean = a.node > b.node;
  const side = (node: NodeId, batch: BatchMark | undefined): string => `${node} holds ${describeBatch(batch)}`;
  const sides = [side(a.node, one), side(b.node, other)];
  return { invariant, subject: a.name, detail: (swapped ? sides.reverse() : sides).join(', ') };
}
