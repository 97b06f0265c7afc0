// FindCoordinator (txn T-6, wire G-3): any broker says who leads the partition of an id. A hint, from this broker's metadata.
import { coordinatorPartition } from '../base/java-hash.ts';
import type { RequestOf, ResponseOf } from '../protocol/apis.ts';
import type { Coordinator } from '../protocol/generated/index.ts';
import type { NodeContext } from './context.ts';
import { OFFSETS_TOPIC, TRANSACTION_TOPIC, type InternalTopic, type InternalTopics } from './internal-topics.ts';

/**
 * Answers, for each key:
 * - `INVALID_REQUEST`: a key type that is neither "group" nor "transaction".
 * - `COORDINATOR_NOT_AVAILABLE`: its topic is being created, its partition has no leader, or the leader is not alive.
 */
export function findCoordinator(
  context: NodeContext,
  topics: InternalTopics,
  { keyType, keys }: RequestOf<'FindCoordinator'>,
): ResponseOf<'FindCoordinator'> {
  const topic = topicOf(keyType);
  return { coordinators: keys.map((key) => coordinatorOf(context, topics, topic, key)) };
}

function topicOf(keyType: string): InternalTopic | undefined {
  if (keyType === 'transaction') return TRANSACTION_TOPIC;
  return keyType === 'group' ? OFFSETS_TOPIC : undefined;
}

function coordinatorOf(
  { image }: NodeContext,
  topics: InternalTopics,
  topic: InternalTopic | undefined,
  key: string,
): Coordinator {
  if (topic === undefined) return { key, error: 'INVALID_REQUEST', nodeId: -1, partition: -1 };
  const partitions = image.topicNamed(topic)?.partitions;
  if (partitions === undefined) {
    topics.create(topic);
    return { key, error: 'COORDINATOR_NOT_AVAILABLE', nodeId: -1, partition: -1 };
  }
  const partition = coordinatorPartition(key, partitions.length);
  const leader = partitions[partition]?.leader ?? -1;
  if (leader < 0 || image.brokers.get(leader)?.fenced !== false) {
    return { key, error: 'COORDINATOR_NOT_AVAILABLE', nodeId: -1, partition };
  }
  return { key, error: 'NONE', nodeId: leader, partition };
}
