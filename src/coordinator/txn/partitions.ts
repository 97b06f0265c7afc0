// The set of partitions of a transaction (txn T-16) as a sorted list: by topic (UTF-16 units), then by index, without
// repeats. Lists never change in place.
import type { TopicPartition } from '../../base/units.ts';

/** Below 0 if `a` stands before `b`, 0 if they are the same partition. */
export function comparePartitions(a: TopicPartition, b: TopicPartition): number {
  if (a.topic !== b.topic) return a.topic < b.topic ? -1 : 1;
  return a.partition - b.partition;
}

/** Any partitions as a set. */
export function partitionSet(partitions: readonly TopicPartition[]): readonly TopicPartition[] {
  const sorted = [...partitions].sort(comparePartitions);
  return sorted.filter((one, i) => i === 0 || comparePartitions(sorted[i - 1]!, one) !== 0);
}

/** Whether `set` has the partition. */
export function hasPartition(set: readonly TopicPartition[], partition: TopicPartition): boolean {
  return set.some((one) => comparePartitions(one, partition) === 0);
}

/** The set without the partition: its marker is written, or it is gone (txn T-83, T-86). */
export function withoutPartition(set: readonly TopicPartition[], partition: TopicPartition): readonly TopicPartition[] {
  return set.filter((one) => comparePartitions(one, partition) !== 0);
}

/** Partitions under their topics, in the order of the set. */
export function byTopic(set: readonly TopicPartition[]): { topic: string; partitions: number[] }[] {
  const topics: { topic: string; partitions: number[] }[] = [];
  for (const { topic, partition } of set) {
    const last = topics.at(-1);
    if (last?.topic === topic) last.partitions.push(partition);
    else topics.push({ topic, partitions: [partition] });
  }
  return topics;
}
