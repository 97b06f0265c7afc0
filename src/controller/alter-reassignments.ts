// Reassignments that people ask for: begun, changed, cancelled, listed (repl R-107, wire W-77). Each partition of a request
// succeeds or fails on its own. How one ends is partition-change.ts's.
import type { NodeId } from '../base/units.ts';
import { formatPartition } from '../base/units.ts';
import type { PartitionRegistration } from '../metadata/image.ts';
import type { RequestOf, ResponseOf } from '../protocol/apis.ts';
import type { ErrorName } from '../protocol/errors.ts';
import type { AlteredReassignment, OngoingReassignment, PartitionReassignment } from '../protocol/generated/index.ts';
import type { Draft } from './draft.ts';
import { cancelled, isMoving, movingTo, settled } from './reassignment.ts';
import { acceptableIn, automaticElection } from './replica-changes.ts';

interface Refusal {
  readonly error: ErrorName;
  readonly message: string;
}

/**
 * Decides AlterPartitionReassignments.
 *
 * Answers, in the order checked:
 * - `UNKNOWN_TOPIC_OR_PARTITION`: there is no such partition.
 * - to cancel, `NO_REASSIGNMENT_IN_PROGRESS`: nothing is under way; `INVALID_REPLICA_ASSIGNMENT`: whoever may lead is being
 *   added, and the topic does not allow unclean elections.
 * - else `INVALID_REPLICA_ASSIGNMENT`: no brokers, an unregistered one, or one twice; `INVALID_REPLICATION_FACTOR`: another
 *   number of replicas than before, where the request does not allow that.
 */
export function decideAlterReassignments(
  draft: Draft,
  { partitions, allowReplicationFactorChange }: RequestOf<'AlterPartitionReassignments'>,
): ResponseOf<'AlterPartitionReassignments'> {
  return {
    partitions: partitions.map((wanted): AlteredReassignment => {
      const { topic, partition } = wanted;
      const refusal = decideOne(draft, wanted, allowReplicationFactorChange);
      return { topic, partition, error: refusal?.error ?? 'NONE', errorMessage: refusal?.message ?? '' };
    }),
  };
}

function decideOne(draft: Draft, wanted: PartitionReassignment, mayResize: boolean): Refusal | undefined {
  const { topic, partition: index, replicas } = wanted;
  const partition = draft.image.topicNamed(topic)?.partitions[index];
  const where = formatPartition(topic, index);
  if (partition === undefined) return { error: 'UNKNOWN_TOPIC_OR_PARTITION', message: `no partition ${where}` };
  if (replicas === null) return cancel(draft, partition, where);
  const problem = assignmentProblem(draft, replicas.ids);
  if (problem !== undefined) return { error: 'INVALID_REPLICA_ASSIGNMENT', message: `${where}: ${problem}` };
  const size = partition.replicas.length - partition.adding.length;
  if (!mayResize && replicas.ids.length !== size) {
    const message = `${where} has ${size} replicas, and would have ${replicas.ids.length}`;
    return { error: 'INVALID_REPLICATION_FACTOR', message };
  }
  draft.change(partition, {
    assignment: movingTo(partition, replicas.ids),
    election: { kind: 'online' },
    acceptable: acceptableIn(draft.image),
    reason: 'reassigned',
  });
  return undefined;
}

function assignmentProblem(draft: Draft, ids: readonly NodeId[]): string | undefined {
  if (ids.length === 0) return 'it would have no brokers';
  const unknown = ids.filter((id) => !draft.image.brokers.has(id));
  if (unknown.length > 0) return `broker ${unknown.join(', ')} is not registered`;
  return new Set(ids).size < ids.length ? `a broker is named twice (${ids.join(', ')})` : undefined;
}

function cancel(draft: Draft, partition: PartitionRegistration, where: string): Refusal | undefined {
  if (!isMoving(partition)) {
    return { error: 'NO_REASSIGNMENT_IN_PROGRESS', message: `${where} is not being reassigned` };
  }
  const { replicas, isr, unclean } = cancelled(partition, partition);
  const election = automaticElection(draft, partition.topicId);
  if (unclean && election.kind !== 'unclean') {
    const message =
      `only replicas that are being added may lead ${where} (ISR ${partition.isr.join(', ') || 'empty'}): going back would ` +
      'lose what the others lack, which unclean.leader.election.enable of the topic does not allow';
    return { error: 'INVALID_REPLICA_ASSIGNMENT', message };
  }
  draft.change(partition, {
    ...{ assignment: settled(replicas), isr, election },
    acceptable: acceptableIn(draft.image),
    reason: unclean ? 'unclean' : 'reassignment-cancelled',
  });
  return undefined;
}

/** What is under way, of all partitions or of those asked for; what is not known is left out. */
export function listReassignments(
  topics: Iterable<{ readonly partitions: readonly PartitionRegistration[] }>,
  { all, partitions: asked }: RequestOf<'ListPartitionReassignments'>,
): ResponseOf<'ListPartitionReassignments'> {
  const isAsked = ({ topic, partition }: PartitionRegistration): boolean =>
    all || asked.some((each) => each.topic === topic && each.partition === partition);
  const moving = [...topics].flatMap(({ partitions }) => partitions.filter((each) => isMoving(each) && isAsked(each)));
  return { partitions: moving.map(describeMove) };
}

function describeMove({ topic, partition, replicas, adding, removing }: PartitionRegistration): OngoingReassignment {
  const coming = { addingReplicas: [...adding], removingReplicas: [...removing] };
  return { topic, partition, replicas: [...replicas], ...coming };
}
