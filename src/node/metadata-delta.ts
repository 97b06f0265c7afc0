// Which partitions and topics a run of metadata records touches (repl R-101). What became of them stands in the image.
import type { TopicId } from '../base/units.ts';
import type { MetadataImage, TopicImage } from '../metadata/image.ts';
import type { MetadataRecord } from '../protocol/generated/index.ts';
import { sessionKey } from './fetch-session.ts';
import type { MetadataDelta } from './replicas.ts';

export function deltaOf(records: readonly MetadataRecord[], image: MetadataImage): MetadataDelta {
  const changed = new Map<string, { readonly topicId: TopicId; readonly partition: number }>();
  const removedTopics: TopicId[] = [];
  const configuredTopics = new Set<string>();
  for (const record of records) {
    const touched = record.partition ?? record.partitionChange;
    if (touched) {
      const { topicId, partition } = touched;
      changed.set(sessionKey(topicId, partition), { topicId, partition });
    } else if (record.clearElr) {
      // Where there was anything to forget the partition epoch has risen (repl R-119); the others are as they were.
      const { topic } = record.clearElr;
      const partitions = topic === '' ? image.partitions() : (image.topicNamed(topic)?.partitions ?? []);
      for (const { topicId, partition } of partitions)
        changed.set(sessionKey(topicId, partition), { topicId, partition });
    } else if (record.removeTopic) removedTopics.push(record.removeTopic.topicId);
    else if (record.config) configuredTopics.add(record.config.topic);
  }
  return { changed: [...changed.values()], removedTopics, configuredTopics };
}

/** What has changed since there were the topics `before`, if an image was loaded from a snapshot meanwhile. */
export function deltaBetween(before: ReadonlyMap<TopicId, TopicImage>, image: MetadataImage): MetadataDelta {
  const changed = [...image.partitions()].filter(({ topicId, partition, partitionEpoch }) => {
    return before.get(topicId)?.partitions[partition]?.partitionEpoch !== partitionEpoch;
  });
  const removedTopics = [...before.keys()].filter((topicId) => !image.topics.has(topicId));
  // Settings are looked up where they stand: to say that they changed where they did not is harmless. '': the cluster's.
  const configuredTopics = new Set(['', ...[...image.topics.values()].map(({ name }) => name)]);
  return { changed, removedTopics, configuredTopics };
}
