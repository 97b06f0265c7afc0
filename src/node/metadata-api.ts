// The Metadata API: the cluster as this broker knows it, for clients (wire W-68 to W-70). Missing topics are created on the
// way, by auto-topics.ts.
import { NO_LEADER } from '../base/units.ts';
import { describeBroker, describeTopic } from '../metadata/describe.ts';
import type { MetadataImage, TopicImage } from '../metadata/image.ts';
import type { RequestOf, ResponseOf } from '../protocol/apis.ts';
import type { ErrorName } from '../protocol/errors.ts';
import type { PartitionDescription, TopicDescription } from '../protocol/generated/index.ts';
import { isInternalTopic, topicNameProblem } from '../protocol/topic-name.ts';

/** Answers a Metadata request. `create` is told of each valid name that is missing and may be created. */
export function describeMetadata(
  image: MetadataImage,
  request: RequestOf<'Metadata'>,
  create: (name: string) => void,
): ResponseOf<'Metadata'> {
  const known = (topic: TopicImage): TopicDescription => describeForClients(image, topic);
  const topics = request.allTopics
    ? [...image.topics.values()].map(known)
    : request.topics.map((name) => {
        const topic = image.topicNamed(name);
        if (topic !== undefined) return known(topic);
        if (topicNameProblem(name) !== undefined) return missing(name, 'INVALID_TOPIC_EXCEPTION');
        if (request.allowAutoTopicCreation && !isInternalTopic(name)) create(name);
        return missing(name, 'UNKNOWN_TOPIC_OR_PARTITION');
      });
  const live = [...image.brokers.values()].filter((broker) => !broker.fenced);
  const brokers = live.map(describeBroker);
  return {
    clusterId: image.clusterId,
    brokers,
    topics,
    metadataOffset: image.endOffset,
    transactionVersion: image.features.get('transaction.version') ?? 0,
  };
}

/** Wire W-70: a leader that is not live is none. */
function describeForClients(image: MetadataImage, topic: TopicImage): TopicDescription {
  const described = describeTopic(image, topic);
  const partitions = described.partitions.map((partition): PartitionDescription => {
    const live = image.brokers.get(partition.leader)?.fenced === false;
    return live ? partition : { ...partition, error: 'LEADER_NOT_AVAILABLE', leader: NO_LEADER };
  });
  return { ...described, partitions };
}

function missing(name: string, error: ErrorName): TopicDescription {
  return { error, name, topicId: '', isInternal: isInternalTopic(name), partitions: [], configs: [] };
}
