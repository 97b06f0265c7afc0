// More partitions for topics that exist (wire W-102). Each topic of a request succeeds or fails on its own; what they look
// like is topic-plan.ts's to say.
import { partitionRecord } from '../metadata/records.ts';
import type { RequestOf, ResponseOf } from '../protocol/apis.ts';
import type { CreatedPartitions, MorePartitions } from '../protocol/generated/index.ts';
import { isInternalTopic } from '../protocol/topic-name.ts';
import type { Draft } from './draft.ts';
import type { PartitionPlan, TopicRefusal } from './topic-plan.ts';
import { planMorePartitions } from './topic-plan.ts';

/**
 * Decides CreatePartitions. With validateOnly everything is judged and nothing decided.
 *
 * Answers, in the order checked:
 * - `INVALID_REQUEST`: the topic is named twice.
 * - `UNKNOWN_TOPIC_OR_PARTITION`: there is no such topic.
 * - `INVALID_PARTITIONS`: not more than it has; or an internal topic, whose partitions are fixed for life (wire G-1, txn T-3).
 * - `POLICY_VIOLATION`: too many at once.
 * - `INVALID_REPLICA_ASSIGNMENT`, `INVALID_REPLICATION_FACTOR`: they cannot be placed.
 */
export function decideCreatePartitions(
  draft: Draft,
  { topics, validateOnly }: RequestOf<'CreatePartitions'>,
): ResponseOf<'CreatePartitions'> {
  const names = topics.map(({ name }) => name);
  return {
    topics: topics.map((wanted): CreatedPartitions => {
      const { name } = wanted;
      const isRepeated = names.indexOf(name) !== names.lastIndexOf(name);
      const plan = isRepeated
        ? refuse('INVALID_REQUEST', `the request names topic "${name}" more than once`)
        : planFor(draft, wanted);
      if ('error' in plan) return { name, error: plan.error, errorMessage: plan.message };
      if (!validateOnly) addPartitions(draft, name, plan);
      return { name, error: 'NONE', errorMessage: '' };
    }),
  };
}

function planFor(draft: Draft, wanted: MorePartitions): PartitionPlan[] | TopicRefusal {
  const topic = draft.image.topicNamed(wanted.name);
  if (topic === undefined) return refuse('UNKNOWN_TOPIC_OR_PARTITION', `no topic "${wanted.name}"`);
  if (isInternalTopic(topic.name)) {
    return refuse('INVALID_PARTITIONS', `${topic.name} keeps its partitions for life: ids are placed by their number`);
  }
  return planMorePartitions(draft, topic, wanted);
}

function addPartitions(draft: Draft, name: string, plans: readonly PartitionPlan[]): void {
  const { topicId, partitions } = draft.image.topicNamed(name)!;
  for (const [at, state] of plans.entries()) {
    draft.add(partitionRecord({ topicId, partition: partitions.length + at }, state));
  }
}

function refuse(error: TopicRefusal['error'], message: string): TopicRefusal {
  return { error, message };
}
