// One partition of __transaction_state while this broker coordinates it at one leader epoch (txn T-5, T-24): the ids of
// its cache. It is compared by identity: a shard that was lost and won again is another one. What its records and ids
// look like to traces and points is here too.
import type { LeaderEpoch } from '../../base/units.ts';
import { formatPartition } from '../../base/units.ts';
import type { PointFields } from '../../fault/reach.ts';
import type { TransactionMark } from '../../trace/events.ts';
import type { Shard } from '../host.ts';
import type { TransactionEntry, TransactionMetadata } from './metadata.ts';

export const TRANSACTION_TOPIC = '__transaction_state';

/** A loaded shard. Only its keeper, shards.ts, ends it. */
export class TransactionShard implements Shard {
  readonly topic = TRANSACTION_TOPIC;
  readonly partition: number;
  readonly leaderEpoch: LeaderEpoch;
  /** By transactional id, in the order of their first record. */
  readonly entries: Map<string, TransactionEntry>;
  /** False once it is lost: nothing of it may act or change any more (txn T-24, T-30). */
  alive = true;

  constructor(of: Pick<Shard, 'partition' | 'leaderEpoch'>, entries: Map<string, TransactionEntry>) {
    this.partition = of.partition;
    this.leaderEpoch = of.leaderEpoch;
    this.entries = entries;
  }

  /** Whether `entry` is what the cache holds of its id still (txn T-24). */
  holds(entry: TransactionEntry): boolean {
    return this.alive && this.entries.get(entry.metadata.transactionalId) === entry;
  }
}

/** Which shard an event is about. */
export function ofShard({ partition, leaderEpoch }: Pick<Shard, 'partition' | 'leaderEpoch'>) {
  return { partition, coordinatorEpoch: leaderEpoch };
}

/** The fields that every point of a transactional id has. */
export function transactionFields(
  shard: Shard,
  of: Pick<TransactionMetadata, 'transactionalId' | 'producerId' | 'producerEpoch'>,
): PointFields {
  const { transactionalId, producerId, producerEpoch } = of;
  return { transactionalId, producerId, producerEpoch, ...ofShard(shard) };
}

/** A transactional id as traces have it. */
export function markOf(metadata: TransactionMetadata): TransactionMark {
  const { transactionalId, state, producerId, producerEpoch } = metadata;
  const partitions = metadata.partitions.map(({ topic, partition }) => formatPartition(topic, partition));
  return { transactionalId, state, producerId, producerEpoch, partitions };
}
