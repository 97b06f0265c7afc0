// ISR changes that leaders propose (repl ). Only a proposal from the leader in office, made on the newest
// state, with every member alive and of the process that fetched, is written.
import type { NodeId } from '../base/units.ts';
import type { PartitionRegistration, RecoveryState } from '../metadata/image.ts';
import { isActive } from '../metadata/image.ts';
import type { ChangeReason } from '../metadata/records.ts';
import type { RequestOf, ResponseOf } from '../protocol/apis.ts';
import type { ErrorName } from '../protocol/errors.ts';
import type { AlteredPartition, AlterPartitionEntry, IsrMember } from '../protocol/generated/index.ts';
import type { Draft } from './draft.ts';
import { isOfRegistered } from './registered-process.ts';
import { acceptableIn, automaticElection } from './replica-changes.ts';

/**
 * Decides a request; its partitions are decided one after the other and fail independently.
 *
 * @param admit Whether the request comes in its order; asked of the registered process only. If not, nothing of it is
 *   attempted, and whoever still waits for it asks again.
 */
export function decideAlterPartition(
  draft: Draft,
  request: RequestOf<'AlterPartition'>,
  admit: () => boolean,
): ResponseOf<'AlterPartition'> {
  if (!isOfRegistered(draft, request)) return { error: 'STALE_BROKER_EPOCH', partitions: [] };
  if (!admit()) return { error: 'OPERATION_NOT_ATTEMPTED', partitions: [] };
  const partitions = request.partitions.map((entry) => decideEntry(draft, request.brokerId, entry));
  return { error: 'NONE', partitions };
}

function decideEntry(draft: Draft, sender: NodeId, entry: AlterPartitionEntry): AlteredPartition {
  const partition = draft.image.partition(entry.topicId, entry.partition);
  if (partition === undefined) {
    const known = draft.image.topics.has(entry.topicId);
    return refusal(entry, known ? 'UNKNOWN_TOPIC_OR_PARTITION' : 'UNKNOWN_TOPIC_ID');
  }
  const error = judgeProposal(draft, partition, sender, entry);
  if (error !== undefined) return refusal(entry, error);

  const isr = entry.newIsr.map((member) => member.brokerId);
  draft.change(partition, {
    isr,
    election: automaticElection(draft, entry.topicId),
    acceptable: acceptableIn(draft.image),
    leaderRecoveryState: entry.leaderRecoveryState as RecoveryState,
    reason: reasonOf(partition.isr, isr),
  });
  const after = draft.image.partition(entry.topicId, entry.partition)!;
  // Repl R-62: it completed a reassignment that takes the sender's replica away.
  return after.leader === sender ? state(after) : refusal(entry, 'NEW_LEADER_ELECTED');
}

function reasonOf(before: readonly NodeId[], after: readonly NodeId[]): ChangeReason {
  if (after.some((id) => !before.includes(id))) return 'isr-expand';
  return after.length < before.length ? 'isr-shrink' : 'recovered';
}

/** The refusal a proposal meets, by the order of repl R-61; undefined if it may be written. */
export function judgeProposal(
  draft: Pick<Draft, 'image' | 'safeguard'>,
  partition: PartitionRegistration,
  sender: NodeId,
  entry: AlterPartitionEntry,
): ErrorName | undefined {
  if (entry.leaderEpoch > partition.leaderEpoch || entry.partitionEpoch > partition.partitionEpoch) {
    return 'NOT_CONTROLLER';
  }
  if (entry.leaderEpoch < partition.leaderEpoch) return 'FENCED_LEADER_EPOCH';
  if (sender !== partition.leader) return 'INVALID_REQUEST';
  const isStale = entry.partitionEpoch < partition.partitionEpoch;
  if (isStale && draft.safeguard('isr.partitionEpoch')) return 'INVALID_UPDATE_VERSION';
  if (!isWellFormed(partition, entry)) return 'INVALID_REQUEST';
  return entry.newIsr.every((member) => isEligible(draft, member)) ? undefined : 'INELIGIBLE_REPLICA';
}

function isWellFormed(partition: PartitionRegistration, entry: AlterPartitionEntry): boolean {
  const isr = entry.newIsr.map((member) => member.brokerId);
  const recovering = entry.leaderRecoveryState === 'RECOVERING';
  return (
    isr.length > 0 &&
    new Set(isr).size === isr.length &&
    isr.every((id) => partition.replicas.includes(id)) &&
    isr.includes(partition.leader) &&
    (recovering || entry.leaderRecoveryState === 'RECOVERED') &&
    !(recovering && isr.length > 1) &&
    !(recovering && partition.leaderRecoveryState === 'RECOVERED')
  );
}

/** Repl R-61, KIP-841 and KIP-903: alive, and the same process that the leader saw fetching (-1: not known to it). */
function isEligible(
  { image, safeguard }: Pick<Draft, 'image' | 'safeguard'>,
  { brokerId, brokerEpoch }: IsrMember,
): boolean {
  const broker = image.brokers.get(brokerId);
  if (broker === undefined || (!isActive(broker) && safeguard('isr.eligible'))) return false;
  return brokerEpoch === -1 || brokerEpoch === broker.brokerEpoch || !safeguard('isr.brokerEpoch');
}

function state(partition: PartitionRegistration): AlteredPartition {
  const { topicId, leader, leaderEpoch, isr, partitionEpoch, leaderRecoveryState } = partition;
  return {
    ...{ topicId, partition: partition.partition, error: 'NONE' },
    ...{ leader, leaderEpoch, isr: [...isr], partitionEpoch, leaderRecoveryState },
  };
}

function refusal({ topicId, partition }: AlterPartitionEntry, error: ErrorName): AlteredPartition {
  const unknown = { leader: -1, leaderEpoch: -1, isr: [], partitionEpoch: -1, leaderRecoveryState: '' };
  return { topicId, partition, error, ...unknown };
}
