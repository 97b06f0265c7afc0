// A decided transaction on its way to its end: the markers that its partitions lack, then CompleteX (txn T-19, T-88).
import type { EpochMs } from '../../base/units.ts';
import type { Write } from './decision.ts';
import type { Outcome, TransactionEntry, TransactionMetadata } from './metadata.ts';
import { withoutPartition } from './partitions.ts';
import type { TopicPartition } from '../../base/units.ts';
import { decideComplete } from './prepare.ts';
import type { TransactionShard } from './shard.ts';
import { beginWrite } from './transitions.ts';

/** What the markers of a transaction say. */
export interface MarkerIdentity extends Pick<TransactionMetadata, 'transactionalId' | 'producerId' | 'producerEpoch'> {
  readonly outcome: Outcome;
  /** The variant that the transaction spoke (txn T-118, T-190). */
  readonly transactionVersion: number;
}

export interface Completion {
  readonly shard: TransactionShard;
  /** Its partitions are those that still lack their marker (txn T-16). */
  readonly entry: TransactionEntry;
  readonly marker: MarkerIdentity;
  /** CompleteX, pending since the decision came in force. */
  readonly write: Write;
  /** A leader has refused it: it is left to the next coordinator (txn W-12). */
  givenUp: boolean;
}

/** Begins the end of a transaction that is decided: CompleteX is pending from now on (txn T-19, T-26). */
export function beginCompletion(
  shard: TransactionShard,
  entry: TransactionEntry,
  nowMs: EpochMs,
  compares: boolean,
): Completion {
  const { transactionalId, producerId, producerEpoch, state, clientTransactionVersion } = entry.metadata;
  const write = decideComplete(entry.metadata, nowMs);
  beginWrite(entry, write, compares);
  const outcome = state === 'PrepareCommit' ? 'commit' : 'abort';
  const marker: MarkerIdentity = {
    ...{ transactionalId, producerId, producerEpoch, outcome },
    transactionVersion: clientTransactionVersion,
  };
  return { shard, entry, marker, write, givenUp: false };
}

/** Whether it is still this coordinator's to end (txn T-87). */
export function isLive({ shard, entry, givenUp }: Completion): boolean {
  return !givenUp && shard.holds(entry);
}

/** A partition has its marker: it leaves the set, in memory only (txn T-16). */
export function settlePartition({ entry }: Completion, partition: TopicPartition): void {
  entry.metadata = { ...entry.metadata, partitions: withoutPartition(entry.metadata.partitions, partition) };
}
