// A topic of a plan, and a move of its replicas, as the controller is asked for them.
import type { NodeId, TopicPartition } from '../base/units.ts';
import type { RequestOf } from '../protocol/apis.ts';
import type { NewTopic } from '../protocol/generated/index.ts';
import type { TopicPlan } from './plan.ts';

/** Manual placement: a run needs to know where its replicas are. */
export function topicRequest(topic: TopicPlan): NewTopic {
  return {
    name: topic.name,
    ...{ numPartitions: -1, replicationFactor: -1 },
    assignments: topic.assignments.map((ids) => ({ ids: [...ids] })),
    configs: Object.entries(topic.config).map(([name, value]) => ({ name, value: String(value) })),
  };
}

/** Null: calls off what is under way. Nothing is said of how many there must be. */
export function reassignmentRequest(
  { topic, partition }: TopicPartition,
  replicas: readonly NodeId[] | null,
): RequestOf<'AlterPartitionReassignments'> {
  const ids = replicas === null ? null : { ids: [...replicas] };
  return { partitions: [{ topic, partition, replicas: ids }], allowReplicationFactorChange: true };
}
