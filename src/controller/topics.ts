// Creating and deleting topics (repl, wire W-78, W-79). A topic is created whole or not at all; each topic of
// a request succeeds or fails on its own.
import type { TopicId } from '../base/units.ts';
import type { TopicImage } from '../metadata/image.ts';
import { configRecord, partitionRecord, removeTopicRecord, topicRecord } from '../metadata/records.ts';
import type { RequestOf, ResponseOf } from '../protocol/apis.ts';
import { ConfigError, parseTopicConfigs } from '../protocol/config.ts';
import type { CreatedTopic, DeletedTopic, NewTopic } from '../protocol/generated/index.ts';
import { topicCollisionKey, topicNameProblem } from '../protocol/topic-name.ts';
import type { Draft } from './draft.ts';
import type { PartitionPlan, TopicRefusal } from './topic-plan.ts';
import { planPartitions } from './topic-plan.ts';

/** A topic that can be created. */
interface TopicPlan {
  readonly configs: ReadonlyMap<string, string>;
  readonly partitions: readonly PartitionPlan[];
}

/** Decides CreateTopics (wire W-78). With validateOnly everything is judged and nothing decided. */
export function decideCreateTopics(
  draft: Draft,
  request: RequestOf<'CreateTopics'>,
  newId: () => TopicId,
): ResponseOf<'CreateTopics'> {
  const names = request.topics.map((topic) => topic.name);
  const topics = request.topics.map((topic) => {
    const plan = isRepeated(names, topic.name) ? repeated(topic.name) : planTopic(draft, topic);
    if ('error' in plan) return notCreated(topic.name, plan);
    const topicId = request.validateOnly ? '' : createTopic(draft, topic.name, plan, newId);
    return created(topic.name, topicId, plan);
  });
  return { topics };
}

/** Judges a new topic, in the order of wire W-78: name, existence, configuration, partitions. */
function planTopic(draft: Draft, topic: NewTopic): TopicPlan | TopicRefusal {
  const problem = topicNameProblem(topic.name);
  if (problem !== undefined) return { error: 'INVALID_TOPIC_EXCEPTION', message: problem };
  if (draft.image.topicNamed(topic.name) !== undefined) {
    return { error: 'TOPIC_ALREADY_EXISTS', message: `topic "${topic.name}" exists` };
  }
  const twin = collidingTopic(draft, topic.name);
  if (twin !== undefined) {
    const message = `topic "${topic.name}" collides with topic "${twin.name}": "." and "_" count as the same`;
    return { error: 'INVALID_TOPIC_EXCEPTION', message };
  }
  if (topic.unsetConfigs !== undefined) {
    return { error: 'INVALID_CONFIG', message: `settings without a value: ${topic.unsetConfigs}` };
  }
  const configs = readConfigs(topic);
  if ('error' in configs) return configs;
  const partitions = planPartitions(draft, topic);
  return 'error' in partitions ? partitions : { configs, partitions };
}

function collidingTopic(draft: Draft, name: string): TopicImage | undefined {
  const key = topicCollisionKey(name);
  for (const topic of draft.image.topics.values()) if (topicCollisionKey(topic.name) === key) return topic;
  return undefined;
}

/** Settings as they will stand in the log: checked, and written the one way that everybody reads ("30s" as 30000). */
function readConfigs(topic: NewTopic): ReadonlyMap<string, string> | TopicRefusal {
  try {
    const parsed = parseTopicConfigs(topic.configs.map(({ name, value }) => [name, value] as const));
    return new Map([...parsed].map(([name, value]) => [name, String(value)]));
  } catch (error) {
    if (error instanceof ConfigError) return { error: 'INVALID_CONFIG', message: error.message };
    throw error;
  }
}

function createTopic(draft: Draft, name: string, plan: TopicPlan, newId: () => TopicId): TopicId {
  let topicId = newId();
  while (draft.image.topics.has(topicId)) topicId = newId();
  draft.add(topicRecord(name, topicId));
  for (const [setting, value] of plan.configs) draft.add(configRecord(name, setting, value));
  for (const [partition, state] of plan.partitions.entries()) draft.add(partitionRecord({ topicId, partition }, state));
  return topicId;
}

/** Decides DeleteTopics, by name and by id (wire W-79). A topic that is meant twice, either way, is not deleted. */
export function decideDeleteTopics(draft: Draft, request: RequestOf<'DeleteTopics'>): ResponseOf<'DeleteTopics'> {
  const asked = [
    ...request.names.map((name) => judgeDeletion(draft, name, draft.image.topicNamed(name)?.topicId)),
    ...request.topicIds.map((id) => judgeDeletion(draft, draft.image.topics.get(id)?.name, id)),
  ];
  const names = asked.map(({ name }) => name);
  const topics = asked.map((topic): DeletedTopic => {
    const refusal = topic.name !== '' && isRepeated(names, topic.name) ? repeated(topic.name) : topic.refusal;
    const { name, topicId } = topic;
    if (refusal !== undefined) return { name, topicId, error: refusal.error, errorMessage: refusal.message };
    draft.add(removeTopicRecord(topicId));
    return { name, topicId, error: 'NONE', errorMessage: '' };
  });
  return { topics };
}

/** A topic that may be deleted, or not. What is not known of it is empty. */
interface Deletion {
  readonly name: string;
  readonly topicId: TopicId;
  readonly refusal: TopicRefusal | undefined;
}

function judgeDeletion(draft: Draft, name: string | undefined, topicId: TopicId | undefined): Deletion {
  return { name: name ?? '', topicId: topicId ?? '', refusal: deletionProblem(draft, name, topicId) };
}

function deletionProblem(
  { config }: Draft,
  name: string | undefined,
  topicId: TopicId | undefined,
): TopicRefusal | undefined {
  if (!config['delete.topic.enable']) {
    return { error: 'TOPIC_DELETION_DISABLED', message: 'delete.topic.enable is off' };
  }
  if (name === undefined) return { error: 'UNKNOWN_TOPIC_ID', message: `no topic has the id ${topicId}` };
  if (topicId === undefined) return { error: 'UNKNOWN_TOPIC_OR_PARTITION', message: `no topic "${name}"` };
  return undefined;
}

function isRepeated(names: readonly string[], name: string): boolean {
  return names.indexOf(name) !== names.lastIndexOf(name);
}

function repeated(name: string): TopicRefusal {
  return { error: 'INVALID_REQUEST', message: `the request names topic "${name}" more than once` };
}

function created(name: string, topicId: TopicId, plan: TopicPlan): CreatedTopic {
  const replicationFactor = plan.partitions[0]!.replicas.length;
  const minIsr = Number(plan.configs.get('min.insync.replicas') ?? 0);
  const warnings =
    minIsr > replicationFactor
      ? [
          `min.insync.replicas ${minIsr} exceeds replication factor ${replicationFactor}: ` +
            `Kafka 4 acts as if it were ${replicationFactor}, older ones refuse acks=all`,
        ]
      : [];
  const numPartitions = plan.partitions.length;
  const configs = [...plan.configs].map(([key, value]) => ({ name: key, value }));
  return { name, topicId, error: 'NONE', errorMessage: '', numPartitions, replicationFactor, warnings, configs };
}

function notCreated(name: string, { error, message }: TopicRefusal): CreatedTopic {
  const nothing = { topicId: '', numPartitions: -1, replicationFactor: -1, warnings: [], configs: [] };
  return { name, error, errorMessage: message, ...nothing };
}
