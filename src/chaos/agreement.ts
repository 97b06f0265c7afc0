// Whether all replicas of a partition have been found and agree: the precondition of any conclusion from absence. Agreement
// is about ends only; whether they hold the same records is for a checker to judge.
import { formatPartition, type NodeId, type TopicPartition } from '../base/units.ts';
import type { FoundReplica } from './observe.ts';
import type { TopicPlan } from './plan.ts';

/** Who is to have a replica of a partition, and who of them is on the way (repl R-107). */
export interface Placed {
  readonly replicas: readonly NodeId[];
  readonly adding: readonly NodeId[];
  readonly removing: readonly NodeId[];
}

/**
 * Partitions whose replicas were not all found, or whose ends differ or lie above a high watermark; those that are still being
 * moved, or of which somebody holds what it should have deleted.
 *
 * @param placed Who has a replica now; undefined: as planned.
 */
export function disagreeing(
  topics: readonly Pick<TopicPlan, 'name' | 'assignments'>[],
  found: readonly FoundReplica[],
  placed: (of: TopicPartition) => Placed | undefined,
): string[] {
  const names: string[] = [];
  for (const { name, assignments } of topics) {
    assignments.forEach((planned, at) => {
      const { replicas, adding, removing } = placed({ topic: name, partition: at }) ?? settledOn(planned);
      const partition = formatPartition(name, at);
      const those = found.filter((one) => one.partition === partition);
      const [first] = those;
      const agrees =
        adding.length + removing.length === 0 &&
        those.length === replicas.length &&
        those.every(({ node }) => replicas.includes(node)) &&
        those.every((one) => one.logEndOffset === first!.logEndOffset && one.highWatermark === one.logEndOffset);
      if (!agrees) names.push(partition);
    });
  }
  return names;
}

const settledOn = (replicas: readonly NodeId[]): Placed => ({ replicas, adding: [], removing: [] });

/** Whether no transaction holds anything back, as far as replicas were found. */
export function isStable(found: readonly FoundReplica[]): boolean {
  return found.every((one) => one.lastStableOffset === one.highWatermark);
}
