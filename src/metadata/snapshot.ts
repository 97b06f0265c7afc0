// A metadata image as records: what stands for the log from its beginning, so that the log need not be kept (KIP-630). Loading
// them gives the image again, to the last offset and order.
import type { MetadataRecord } from '../protocol/generated/index.ts';
import type { MetadataImage } from './image.ts';
import {
  brokerStateRecord,
  clusterRecord,
  configRecord,
  featureLevelRecord,
  partitionStateRecord,
  producerIdsRecord,
  topicRecord,
} from './records.ts';

/** Whom the last block of producer ids was given to is of no use any more. */
const NOBODY = -1;

/** The records that bring an empty image to this state. */
export function snapshotOf(image: MetadataImage): MetadataRecord[] {
  return [
    clusterRecord(image.clusterId),
    ...[...image.features].map(([name, level]) => featureLevelRecord(name, level)),
    ...[...image.clusterConfigs].map(([name, value]) => configRecord('', name, value)),
    ...[...image.brokers.values()].map(brokerStateRecord),
    ...[...image.topics.values()].flatMap(({ name, topicId, configs, partitions }) => [
      topicRecord(name, topicId),
      ...[...configs].map(([setting, value]) => configRecord(name, setting, value)),
      ...partitions.map(partitionStateRecord),
    ]),
    ...(image.nextProducerId === 0 ? [] : [producerIdsRecord(NOBODY, image.nextProducerId)]),
  ];
}
