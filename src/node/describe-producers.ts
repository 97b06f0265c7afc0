// DescribeProducers (txn T-178): what the replicas of this broker know of producers, whether they lead or not.
import { NO_OFFSET } from '../base/units.ts';
import { NO_SEQUENCE } from '../log/producer-entry.ts';
import type { RequestOf, ResponseOf } from '../protocol/apis.ts';
import type { ActiveProducer, PartitionProducers } from '../protocol/generated/index.ts';
import type { Partition } from './partition.ts';
import type { Replicas } from './replicas.ts';

/** Answers from the logs as they are, counted or not: what the next append would be judged by. */
export function describeProducers(
  replicas: Replicas,
  request: RequestOf<'DescribeProducers'>,
): ResponseOf<'DescribeProducers'> {
  const asked = request.topics.flatMap(({ topic, partitions }) =>
    partitions.map((partition) => ({ topic, partition })),
  );
  return {
    partitions: asked.map(({ topic, partition }): PartitionProducers => {
      const located = replicas.locate({ topicId: '', topic, partition });
      if (located.kind === 'refused') return { topic, partition, error: located.error, producers: [] };
      return { topic, partition, error: 'NONE', producers: producersOf(located.replica) };
    }),
  };
}

function producersOf({ log }: Partition): ActiveProducer[] {
  const known = [...log.producers()].sort(([a], [b]) => a - b);
  return known.map(([producerId, entry]) => ({
    producerId,
    producerEpoch: entry.epoch,
    lastSequence: entry.batches.at(-1)?.lastSequence ?? NO_SEQUENCE,
    lastTimestampMs: entry.lastTimestamp,
    coordinatorEpoch: entry.coordinatorEpoch,
    currentTxnStartOffset: entry.currentTxnFirstOffset ?? NO_OFFSET,
  }));
}
