// Partitions in requests and answers: those that exist here (txn T-55), and an error for each, in request order. Pure.
import type { TopicPartition } from '../../base/units.ts';
import type { MetadataImage } from '../../metadata/image.ts';
import type { ErrorName } from '../../protocol/errors.ts';
import type { PartitionOutcome, TopicPartitions } from '../../protocol/generated/index.ts';

/** The partitions of a request, in its order. */
export function partitionsOf(topics: readonly TopicPartitions[]): readonly TopicPartition[] {
  return topics.flatMap(({ topic, partitions }) => partitions.map((partition) => ({ topic, partition })));
}

/** Those that this broker's metadata does not know. */
export function absentPartitions(
  image: MetadataImage,
  partitions: readonly TopicPartition[],
): ReadonlySet<TopicPartition> {
  return new Set(
    partitions.filter(({ topic, partition }) => image.topicNamed(topic)?.partitions[partition] === undefined),
  );
}

/** The errors where some are absent: the others were not attempted (txn T-55). */
export function addable(
  partitions: readonly TopicPartition[],
  absent: ReadonlySet<TopicPartition>,
): readonly ErrorName[] {
  return partitions.map((one) => (absent.has(one) ? 'UNKNOWN_TOPIC_OR_PARTITION' : 'OPERATION_NOT_ATTEMPTED'));
}

/** An answer for each partition. */
export function outcomes(partitions: readonly TopicPartition[], errors: readonly ErrorName[]): PartitionOutcome[] {
  return partitions.map(({ topic, partition }, i) => ({
    topic,
    partition,
    error: errors[i] ?? 'UNKNOWN_SERVER_ERROR',
  }));
}
