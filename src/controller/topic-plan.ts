// New partitions: how many, on which brokers, in which first ISR (repl R-85, wire W-78, W-102). Judges and plans; topics.ts
// and create-partitions.ts write the records.
import type { NodeId } from '../base/units.ts';
import type { BrokerRegistration, TopicImage } from '../metadata/image.ts';
import { isActive } from '../metadata/image.ts';
import type { ErrorName } from '../protocol/errors.ts';
import type { MorePartitions, NewTopic } from '../protocol/generated/index.ts';
import type { Draft } from './draft.ts';
import { PlacementLoad } from './placement.ts';

/** A refusal of one topic, with a sentence for people. */
export interface TopicRefusal {
  readonly error: ErrorName;
  readonly message: string;
}

/** A partition as it will be created. */
export interface PartitionPlan {
  readonly replicas: readonly NodeId[];
  readonly isr: readonly NodeId[];
  readonly leader: NodeId;
}

/** Partitions that one topic may be created with, since they make one atomic batch. Kafka's limit as well. */
const PARTITIONS_MAX = 10_000;

/** Plans by hand or by numbers, -1 meaning the cluster's default (wire W-78). */
export function planPartitions(draft: Draft, topic: NewTopic): PartitionPlan[] | TopicRefusal {
  if (topic.assignments.length > 0) return planByHand(draft, topic);
  const { config } = draft;
  const replicationFactor =
    topic.replicationFactor === -1 ? config['default.replication.factor'] : topic.replicationFactor;
  const partitionCount = topic.numPartitions === -1 ? config['num.partitions'] : topic.numPartitions;
  if (replicationFactor < 1) return refuse('INVALID_REPLICATION_FACTOR', 'the replication factor must be at least 1');
  if (partitionCount < 1) return refuse('INVALID_PARTITIONS', 'the number of partitions must be at least 1');
  if (partitionCount > PARTITIONS_MAX) return tooMany(partitionCount);

  return placeAll(draft, { from: 0, upTo: partitionCount }, replicationFactor);
}

/** Indexes of partitions that are to be created, `upTo` exclusive. */
interface NewPartitions {
  readonly from: number;
  readonly upTo: number;
}

/** Spreads new partitions over the live brokers. */
function placeAll(
  draft: Draft,
  { from, upTo }: NewPartitions,
  replicationFactor: number,
): PartitionPlan[] | TopicRefusal {
  const { image } = draft;
  const brokers = [...image.brokers.values()].sort((a, b) => a.id - b.id);
  const live = brokers.filter((broker) => !broker.fenced);
  if (replicationFactor > live.length) return tooFewBrokers(replicationFactor, live, brokers.length);
  const load = new PlacementLoad(image);
  const plans: PartitionPlan[] = [];
  for (let partition = from; partition < upTo; partition++) {
    const plan = start(
      draft,
      load.place(
        live.map(({ id }) => id),
        replicationFactor,
      ),
    );
    if (plan === undefined)
      return refuse('INVALID_REPLICATION_FACTOR', `no replica of partition ${partition} could lead`);
    plans.push(plan);
  }
  return plans;
}

/** Manual placement: entry i is partition i. */
function planByHand(draft: Draft, topic: NewTopic): PartitionPlan[] | TopicRefusal {
  if (topic.numPartitions !== -1 || topic.replicationFactor !== -1) {
    const message = 'a manual assignment takes neither a number of partitions nor a replication factor';
    return refuse('INVALID_REQUEST', message);
  }
  if (topic.misnumbered === true) {
    return refuse('INVALID_REPLICA_ASSIGNMENT', 'a manual assignment names partitions 0, 1, 2 and so on, each once');
  }
  if (topic.assignments.length > PARTITIONS_MAX) return tooMany(topic.assignments.length);
  return placeByHand(draft, { from: 0, assignments: topic.assignments }, topic.assignments[0]!.ids.length);
}

/** Entry i of the assignments is partition `from` + i. */
function placeByHand(
  draft: Draft,
  { from, assignments }: { readonly from: number; readonly assignments: NewTopic['assignments'] },
  replicationFactor: number,
): PartitionPlan[] | TopicRefusal {
  const plans: PartitionPlan[] = [];
  for (const [at, { ids }] of assignments.entries()) {
    const partition = from + at;
    const problem = assignmentProblem(draft, ids, replicationFactor);
    if (problem !== undefined) return refuse('INVALID_REPLICA_ASSIGNMENT', `partition ${partition}: ${problem}`);
    const plan = start(draft, ids);
    if (plan === undefined) {
      const message = `partition ${partition}: all of its brokers (${ids.join(', ')}) are fenced or shutting down`;
      return refuse('INVALID_REPLICA_ASSIGNMENT', message);
    }
    plans.push(plan);
  }
  return plans;
}

/**
 * Plans the partitions that a topic is to have beside those that it has, with as many replicas as partition 0
 * (wire W-102).
 */
export function planMorePartitions(
  draft: Draft,
  { partitions }: TopicImage,
  wanted: MorePartitions,
): PartitionPlan[] | TopicRefusal {
  const { name, count, hasAssignments, assignments } = wanted;
  const has = partitions.length;
  if (count <= has) {
    const problem = count === has ? 'has that many' : `has ${has}; ${count} would not be more`;
    return refuse('INVALID_PARTITIONS', `topic "${name}" ${problem}`);
  }
  if (count - has > PARTITIONS_MAX) return tooMany(count - has);
  const replicationFactor = partitions[0]!.replicas.length;
  if (!hasAssignments) return placeAll(draft, { from: has, upTo: count }, replicationFactor);
  if (assignments.length !== count - has) {
    const message = `${count - has} partitions are new, and ${assignments.length} are assigned`;
    return refuse('INVALID_REPLICA_ASSIGNMENT', message);
  }
  return placeByHand(draft, { from: has, assignments }, replicationFactor);
}

function assignmentProblem(draft: Draft, ids: readonly NodeId[], replicationFactor: number): string | undefined {
  if (ids.length === 0) return 'it has no brokers';
  if (new Set(ids).size < ids.length) return `a broker is named twice (${ids.join(', ')})`;
  const unknown = ids.filter((id) => !draft.image.brokers.has(id));
  if (unknown.length > 0) return `broker ${unknown.join(', ')} is not registered`;
  if (ids.length !== replicationFactor) {
    return `it has ${ids.length} brokers, but partition 0 has ${replicationFactor}`;
  }
  return undefined;
}

/** Repl R-85: the ISR is the active replicas, the leader the first of them; without any the creation fails. */
function start(draft: Draft, replicas: readonly NodeId[]): PartitionPlan | undefined {
  const isr = replicas.filter((id) => isActive(draft.image.brokers.get(id)));
  const leader = isr[0];
  return leader === undefined ? undefined : { replicas, isr, leader };
}

function tooFewBrokers(wanted: number, live: readonly BrokerRegistration[], registered: number): TopicRefusal {
  const ids = live.length === 0 ? '' : ` (${live.map(({ id }) => id).join(', ')})`;
  const have = live.length === registered ? 'are registered' : `of ${registered} registered are alive`;
  const advice = `${live.length === 0 ? 'Start brokers' : `Use ${live.length}`}, or: highwater up --brokers ${wanted}`;
  const message = `replication factor ${wanted} needs ${wanted} brokers; ${live.length} ${have}${ids}. ${advice}`;
  return refuse('INVALID_REPLICATION_FACTOR', message);
}

function tooMany(partitionCount: number): TopicRefusal {
  return refuse('POLICY_VIOLATION', `${partitionCount} partitions are too many at once; at most ${PARTITIONS_MAX}`);
}

function refuse(error: ErrorName, message: string): TopicRefusal {
  return { error, message };
}
