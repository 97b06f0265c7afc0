// Which open transactions hang (txn T-180): what a partition says of its producers, held against what coordinators say of
// transactional ids. A table without requests; admin-transactions.ts asks.
import type { EpochMs, Offset, TopicPartition } from '../../base/units.ts';
import type { DescribedTransaction, PartitionProducers } from '../../protocol/generated/index.ts';

/** An open transaction in one partition, by where it began. */
export interface OpenTransaction extends TopicPartition {
  readonly startOffset: Offset;
}

/** An open transaction as the partition has it. */
export interface ActiveTransaction extends OpenTransaction {
  readonly producerId: number;
  readonly producerEpoch: number;
  /** Of the last coordinator that wrote a marker for the producer there; -1 none. */
  readonly coordinatorEpoch: number;
  /** Of the producer's last batch or marker. */
  readonly lastTimestamp: EpochMs;
}

/** Whether a coordinator will end an open transaction. */
export type Ownership =
  /** It has the partition in its set, or is about to write the marker. */
  | { readonly kind: 'owned'; readonly transactionalId: string; readonly state: string; readonly epoch: number }
  /** No transactional id has the producer id now. */
  | { readonly kind: 'unknown-producer' }
  /** An id has the producer id, and its transaction, if any, is another one: without this partition. */
  | {
      readonly kind: 'not-registered';
      readonly transactionalId: string;
      readonly state: string;
      readonly epoch: number;
    }
  /** An id had the producer id and is gone since. */
  | { readonly kind: 'undescribed'; readonly transactionalId: string };

/** One that no coordinator will end. */
export interface HangingTransaction extends ActiveTransaction {
  readonly why: Exclude<Ownership, { kind: 'owned' }>;
}

/** The transactions that are open in a partition, by producer id. */
export function openIn({ topic, partition, producers }: PartitionProducers): ActiveTransaction[] {
  return producers
    .filter(({ currentTxnStartOffset }) => currentTxnStartOffset >= 0)
    .map(({ producerId, producerEpoch, coordinatorEpoch, lastTimestampMs, currentTxnStartOffset }) => ({
      ...{ topic, partition, producerId, producerEpoch, coordinatorEpoch },
      ...{ lastTimestamp: lastTimestampMs, startOffset: currentTxnStartOffset },
    }));
}

/** Whether its producer was silent for longer than `silentMs`: only those are worth asking for. */
export function isSilent(one: ActiveTransaction, nowMs: EpochMs, silentMs: number): boolean {
  return nowMs - one.lastTimestamp > silentMs;
}

/**
 * Who ends it. `known` describes every id that was listed for its producer id. Epochs are not compared: a marker of any
 * later epoch ends what is open in a partition of its set (txn T-93, T-116).
 */
export function ownerOf(
  one: TopicPartition & { readonly producerId: number },
  known: readonly DescribedTransaction[],
  listed: readonly { readonly transactionalId: string; readonly producerId: number }[],
): Ownership {
  const named = listed.find(({ producerId }) => producerId === one.producerId);
  if (named === undefined) return { kind: 'unknown-producer' };
  const { transactionalId } = named;
  const described = known.find((each) => each.transactionalId === transactionalId);
  if (described === undefined || described.error !== 'NONE') return { kind: 'undescribed', transactionalId };
  if (described.producerId !== one.producerId) return { kind: 'unknown-producer' };
  const about = { transactionalId, state: described.state, epoch: described.producerEpoch };
  const registered = described.topics.some(
    ({ topic, partitions }) => topic === one.topic && partitions.includes(one.partition),
  );
  return registered ? { kind: 'owned', ...about } : { kind: 'not-registered', ...about };
}
