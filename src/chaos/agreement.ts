// Whether all replicas of a partition have been found and agree: the precondition of any conclusion from absence. Agreement
// is about ends only; whether they hold the same records is for a checker to judge.
import { formatPartition } from '../base/units.ts';
import type { FoundReplica } from './observe.ts';
import type { TopicPlan } from './plan.ts';

/** Partitions whose replicas were not all found, or whose ends differ or lie above a high watermark. */
export function disagreeing(topics: readonly TopicPlan[], found: readonly FoundReplica[]): string[] {
  const names: string[] = [];
  for (const { name, assignments } of topics) {
    assignments.forEach((replicas, at) => {
      const partition = formatPartition(name, at);
      const those = replicas.map((node) => found.find((one) => one.partition === partition && one.node === node));
      const [first] = those;
      const agrees = those.every(
        (one) =>
          one !== undefined && one.logEndOffset === first?.logEndOffset && one.highWatermark === one.logEndOffset,
      );
      if (!agrees) names.push(partition);
    });
  }
  return names;
}

/** Whether no transaction holds anything back, as far as replicas were found. */
export function isStable(found: readonly FoundReplica[]): boolean {
  return found.every((one) => one.lastStableOffset === one.highWatermark);
}
