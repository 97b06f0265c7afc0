// A topic of a plan as the controller is asked for it.
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
