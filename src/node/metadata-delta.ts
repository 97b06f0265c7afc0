// Which partitions and topics a run of metadata records touches (repl R-101). What became of them stands in the image.
import type { TopicId } from '../base/units.ts';
import type { MetadataRecord } from '../protocol/generated/index.ts';
import { sessionKey } from './fetch-session.ts';
import type { MetadataDelta } from './replicas.ts';

export function deltaOf(records: readonly MetadataRecord[]): MetadataDelta {
  const changed = new Map<string, { readonly topicId: TopicId; readonly partition: number }>();
  const removedTopics: TopicId[] = [];
  for (const record of records) {
    const touched = record.partition ?? record.partitionChange;
    if (touched) {
      const { topicId, partition } = touched;
      changed.set(sessionKey(topicId, partition), { topicId, partition });
    } else if (record.removeTopic) removedTopics.push(record.removeTopic.topicId);
  }
  return { changed: [...changed.values()], removedTopics };
}
