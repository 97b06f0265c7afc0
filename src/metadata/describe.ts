// A metadata image in the words of the wire: what DescribeCluster and Metadata answer. Decides nothing.
import type {
  BrokerDescription,
  ConfigEntry,
  PartitionDescription,
  TopicDescription,
} from '../protocol/generated/index.ts';
import { NO_LEADER } from '../base/units.ts';
import { isInternalTopic } from '../protocol/topic-name.ts';
import type { BrokerRegistration, MetadataImage, PartitionRegistration, TopicImage } from './image.ts';

/** A broker as registered. */
export function describeBroker(broker: BrokerRegistration): BrokerDescription {
  const { endpoints, id, fenced, brokerEpoch, inControlledShutdown, rack } = broker;
  const places = endpoints.map((endpoint) => ({ ...endpoint }));
  return { id, endpoints: places, fenced, brokerEpoch, inControlledShutdown, rack };
}

/** A partition; LEADER_NOT_AVAILABLE if it has no leader. Offline replicas are those on fenced or unknown brokers. */
export function describePartition(image: MetadataImage, partition: PartitionRegistration): PartitionDescription {
  return {
    error: partition.leader === NO_LEADER ? 'LEADER_NOT_AVAILABLE' : 'NONE',
    partition: partition.partition,
    leader: partition.leader,
    leaderEpoch: partition.leaderEpoch,
    replicas: [...partition.replicas],
    isr: [...partition.isr],
    offlineReplicas: partition.replicas.filter((id) => image.brokers.get(id)?.fenced ?? true),
    partitionEpoch: partition.partitionEpoch,
    leaderRecoveryState: partition.leaderRecoveryState,
    elr: [...partition.elr],
    lastKnownElr: [...partition.lastKnownElr],
    addingReplicas: [...partition.adding],
    removingReplicas: [...partition.removing],
  };
}

/** A topic with all its partitions and its own settings. */
export function describeTopic(image: MetadataImage, topic: TopicImage): TopicDescription {
  return {
    error: 'NONE',
    name: topic.name,
    topicId: topic.topicId,
    isInternal: isInternalTopic(topic.name),
    partitions: topic.partitions.map((partition) => describePartition(image, partition)),
    configs: entries(topic.configs),
  };
}

/** Feature levels as name and value. */
export function describeFeatures(image: MetadataImage): ConfigEntry[] {
  return entries(image.features);
}

function entries(values: ReadonlyMap<string, string | number>): ConfigEntry[] {
  return [...values].map(([name, value]) => ({ name, value: String(value) }));
}
