// Elections that people, tests and faults ask for: PREFERRED and UNCLEAN are Kafka's (repl ), TO a given node is
// ours: a clean election in the sense of R-95 that says whom it wants. Each refusal is a sentence that says what is so.
import type { NodeId } from '../base/units.ts';
import { formatPartition, NO_LEADER } from '../base/units.ts';
import type { PartitionRegistration } from '../metadata/image.ts';
import type { ChangeReason } from '../metadata/records.ts';
import type { RequestOf, ResponseOf } from '../protocol/apis.ts';
import type { ErrorName } from '../protocol/errors.ts';
import type { ElectionResult } from '../protocol/generated/index.ts';
import type { Draft } from './draft.ts';
import type { Election } from './election.ts';
import { isValidLeader } from './election.ts';
import { acceptableIn } from './replica-changes.ts';

/** Why an election is not held. */
interface Refusal {
  readonly error: ErrorName;
  readonly message: string;
}

/** Decides elections of one partition, or of all of a topic (partition -1); each succeeds or fails on its own. */
export function decideElectLeaders(draft: Draft, request: RequestOf<'ElectLeaders'>): ResponseOf<'ElectLeaders'> {
  const { topic: name, partition: index, type } = request;
  const topic = draft.image.topicNamed(name);
  const partitions = topic?.partitions.filter(({ partition }) => index === -1 || partition === index) ?? [];
  if (type !== 'PREFERRED' && type !== 'UNCLEAN' && type !== 'TO') {
    const message = `unknown election "${type}"; there are PREFERRED, UNCLEAN and TO`;
    return { results: [absent(request, { error: 'INVALID_REQUEST', message })] };
  }
  if (topic === undefined || (partitions.length === 0 && index !== -1)) {
    const message = topic === undefined ? `no topic "${name}"` : `no partition ${formatPartition(name, index)}`;
    return { results: [absent(request, { error: 'UNKNOWN_TOPIC_OR_PARTITION', message })] };
  }
  return { results: partitions.map((partition) => elect(draft, partition, type, request.to)) };
}

function elect(
  draft: Draft,
  partition: PartitionRegistration,
  type: 'PREFERRED' | 'UNCLEAN' | 'TO',
  to: NodeId,
): ElectionResult {
  const refusal = judge(draft, partition, type, to);
  if (refusal !== undefined) return result(partition, refusal);
  const [election, reason] = ELECTIONS[type](to);
  draft.change(partition, { election, acceptable: acceptableIn(draft.image), reason });
  return result(draft.image.partition(partition.topicId, partition.partition)!);
}

const ELECTIONS: Readonly<Record<'PREFERRED' | 'UNCLEAN' | 'TO', (to: NodeId) => readonly [Election, ChangeReason]>> = {
  PREFERRED: () => [{ kind: 'preferred' }, 'preferred'],
  UNCLEAN: () => [{ kind: 'unclean' }, 'clean'],
  TO: (node) => [{ kind: 'to', node }, 'elect-to'],
};

function judge(draft: Draft, partition: PartitionRegistration, type: string, to: NodeId): Refusal | undefined {
  const where = formatPartition(partition.topic, partition.partition);
  const { replicas, isr, elr, leader } = partition;
  const acceptable = acceptableIn(draft.image);
  if (type === 'UNCLEAN') {
    if (leader !== NO_LEADER) return refuse('ELECTION_NOT_NEEDED', `${where} is led by broker ${leader}`);
    if (replicas.some(acceptable)) return undefined;
    return refuse('ELIGIBLE_LEADERS_NOT_AVAILABLE', `no replica of ${where} is alive (${replicas.join(', ')})`);
  }
  const wanted = type === 'PREFERRED' ? replicas[0]! : to;
  if (leader === wanted) return refuse('ELECTION_NOT_NEEDED', `broker ${wanted} already leads ${where}`);
  if (!replicas.includes(wanted)) {
    return refuse('INVALID_REQUEST', `broker ${wanted} has no replica of ${where} (${replicas.join(', ')})`);
  }
  if (isValidLeader({ isr, elr, acceptable }, wanted)) return undefined;
  const [set, name] = isr.length === 0 ? [elr, 'ELR'] : [isr, 'ISR'];
  const problem = set.includes(wanted) ? 'is fenced or shutting down' : `is not in the ${name} (${set.join(', ')})`;
  const error = type === 'PREFERRED' ? 'PREFERRED_LEADER_NOT_AVAILABLE' : 'ELIGIBLE_LEADERS_NOT_AVAILABLE';
  return refuse(error, `broker ${wanted} cannot lead ${where}: it ${problem}`);
}

const refuse = (error: ErrorName, message: string): Refusal => ({ error, message });

function result({ topic, partition, leader, leaderEpoch }: PartitionRegistration, refusal?: Refusal): ElectionResult {
  const error = refusal?.error ?? 'NONE';
  return { topic, partition, error, errorMessage: refusal?.message ?? '', leader, leaderEpoch };
}

function absent({ topic, partition }: RequestOf<'ElectLeaders'>, { error, message }: Refusal): ElectionResult {
  return { topic, partition, error, errorMessage: message, leader: -1, leaderEpoch: -1 };
}
