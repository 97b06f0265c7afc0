// Tombstones for offsets: asked for (OffsetDelete, wire G-36), or because their topic is gone (wire G-41, txn T-68).
import type { TopicId } from '../../../base/units.ts';
import type { RequestOf } from '../../../protocol/apis.ts';
import type { ErrorName } from '../../../protocol/errors.ts';
import type { Answer } from '../api.ts';
import type { GroupShard, Shards } from '../contract.ts';
import { writeError } from '../errors.ts';
import type { OffsetView } from './offset-entry.ts';
import { isSameTopicId } from './offset-record.ts';
import { RequestPartitions } from './request-partitions.ts';

/** A topic that is no more. */
export interface DeletedTopic {
  readonly topic: string;
  readonly topicId: TopicId;
}

/** Deletes the offsets of the request, and answers once their tombstones are below the high watermark. */
export function deleteOffsets(
  shards: Shards,
  request: RequestOf<'OffsetDelete'>,
  answer: Answer<'OffsetDelete'>,
): void {
  const { groupId } = request;
  const partitions = new RequestPartitions(request.partitions, shards.host.image);
  const refuse = (error: ErrorName): void => answer({ error, partitions: [] });
  const finish = (): void => answer({ error: 'NONE', partitions: partitions.outcomes('NONE') });
  if (!shards.running) return refuse('COORDINATOR_NOT_AVAILABLE');
  if (groupId === '') return refuse('INVALID_GROUP_ID');
  const step = (shard: GroupShard): void => {
    const group = shard.groups.get(groupId);
    if (group === undefined) return refuse('GROUP_ID_NOT_FOUND');
    if (group.state !== 'Empty' && group.protocolType !== 'consumer') return refuse('NON_EMPTY_GROUP');
    for (const open of partitions.open) {
      if (group.subscribes(open.asked.topic)) open.refuse('GROUP_SUBSCRIBED_TO_TOPIC');
    }
    const entries = partitions.open.flatMap(({ asked: { topic, partition } }) => {
      const entry = shard.offsets.entry(groupId, topic, partition);
      return entry === undefined || !isThere(entry) ? [] : [entry];
    });
    const records = [...new Set(entries)].map((entry) => shard.offsets.tombstone(entry));
    const done = (error: ErrorName): void => (error === 'NONE' ? finish() : refuse(writeError(error)));
    if (records.length === 0) return shard.whenCommitted(done);
    shard.append({ records }, { committed: finish, failed: done });
  };
  shards.enter(groupId, step, refuse);
}

/** Writes tombstones for all offsets of topics that are gone, wherever this broker is coordinator. */
export function deleteOffsetsOfTopics(shards: Shards, topics: readonly DeletedTopic[]): void {
  const step = (shard: GroupShard): void => {
    const records = shard.offsets
      .groupIds()
      .flatMap((groupId) => shard.offsets.entries(groupId))
      .filter((entry) => topics.some((topic) => isOf(entry, topic)))
      .map((entry) => shard.offsets.tombstone(entry));
    // Should it fail, they go when they expire.
    if (records.length > 0) shard.append({ records }, IGNORED);
  };
  for (const partition of shards.loaded()) shards.enterPartition(partition, step, () => undefined);
}

const IGNORED = { committed: () => undefined, failed: () => undefined };

function isThere({ latest, pending }: OffsetView): boolean {
  return latest !== undefined || pending.size > 0;
}

/** What is stored without an id is taken for the topic's that had the name. */
function isOf({ topic, latest, pending }: OffsetView, gone: DeletedTopic): boolean {
  if (topic !== gone.topic) return false;
  const stored = latest === undefined ? [...pending.values()] : [latest, ...pending.values()];
  return stored.some(({ topicId }) => topicId === '' || isSameTopicId(topicId, gone.topicId));
}
