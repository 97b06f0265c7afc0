// Two replicas of one partition side by side, for the rules that compare their logs (repl I-6, I-7). Judges nothing.
import type { NodeId } from '../../../base/units.ts';
import type { BatchMark } from '../../../trace/events.ts';
import { found, type Violation } from '../invariant.ts';
import { describeBatch, type ReplicaView } from '../view/replica-view.ts';
import type { PartitionView, TraceView } from '../view/trace-view.ts';

/** Looks at two replicas of a partition. */
export type Compare = (a: ReplicaView, b: ReplicaView, partition: PartitionView) => Violation | undefined;

/** Looks at every two replicas of every partition. */
export function sweepPairs(view: TraceView, compare: Compare): Violation[] {
  const violations: (Violation | undefined)[] = [];
  for (const partition of view.partitions()) {
    const replicas = [...partition.replicas.values()];
    for (const [i, a] of replicas.entries())
      for (const b of replicas.slice(i + 1)) violations.push(compare(a, b, partition));
  }
  return found(...violations);
}

type Pair = readonly [BatchMark | undefined, BatchMark | undefined];

/** What is wrong with two logs: what the one holds, and what the other. */
export function different(invariant: string, a: ReplicaView, b: ReplicaView, [one, other]: Pair): Violation {
  // Named in one order, whichever side was looked at first.
  const swapped: boolean = a.node > b.node;
  const side = (node: NodeId, batch: BatchMark | undefined): string => `${node} holds ${describeBatch(batch)}`;
  const sides = [side(a.node, one), side(b.node, other)];
  return { invariant, subject: a.name, detail: (swapped ? sides.reverse() : sides).join(', ') };
}
