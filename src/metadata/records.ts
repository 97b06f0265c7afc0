// The metadata log's records as the controller makes them (repl R-84), and their form in its store: JSON whose
// fields stand in the order given here, so that equal records are equal bytes. Decides nothing.
import type { NodeId, TopicId } from '../base/units.ts';
import type { Endpoint, MetadataRecord } from '../protocol/generated/index.ts';
import type { BrokerRegistration, RecoveryState } from './image.ts';

/** Why a partition changed, as it stands in the log. `unclean` whatever the occasion, if the election was (repl R-97). */
export type ChangeReason =
  | 'isr-expand'
  | 'isr-shrink'
  | 'recovered'
  | 'fenced'
  | 'unfenced'
  | 'registered'
  | 'controlled-shutdown'
  | 'preferred'
  | 'unclean'
  | 'clean'
  | 'elect-to';

/** What a partition change carries; what is absent stays (repl R-85). */
export interface PartitionDelta {
  readonly isr?: readonly NodeId[];
  /** Present, even if it names the leader in office: the leader epoch rises. */
  readonly leader?: NodeId;
  readonly leaderRecoveryState?: RecoveryState;
  readonly reason: ChangeReason;
}

export const clusterRecord = (clusterId: string): MetadataRecord => ({ cluster: { clusterId } });

export const featureLevelRecord = (name: string, level: number): MetadataRecord => ({ featureLevel: { name, level } });

/** Repl R-87: a registration. */
export function registerBrokerRecord(
  broker: Pick<BrokerRegistration, 'id' | 'incarnationId' | 'brokerEpoch' | 'fenced'>,
  endpoints: readonly Endpoint[],
): MetadataRecord {
  const { id, incarnationId, brokerEpoch, fenced } = broker;
  const places = endpoints.map(({ name, host, port }) => ({ name, host, port }));
  return { registerBroker: { brokerId: id, incarnationId, brokerEpoch, endpoints: places, fenced } };
}

/** A change of the flags of a registration; what `flags` leaves out stays. */
export function registrationChangeRecord(
  broker: BrokerRegistration,
  flags: { readonly fenced?: boolean; readonly inControlledShutdown?: boolean },
): MetadataRecord {
  return {
    brokerRegistrationChange: {
      brokerId: broker.id,
      brokerEpoch: broker.brokerEpoch,
      fenced: flags.fenced ?? broker.fenced,
      inControlledShutdown: flags.inControlledShutdown ?? broker.inControlledShutdown,
    },
  };
}

export const topicRecord = (name: string, topicId: TopicId): MetadataRecord => ({ topic: { name, topicId } });

export const removeTopicRecord = (topicId: TopicId): MetadataRecord => ({ removeTopic: { topicId } });

export const configRecord = (topic: string, name: string, value: string): MetadataRecord => ({
  config: { topic, name, value, removed: false },
});

/** A setting of a topic goes back to the default. */
export const removeConfigRecord = (topic: string, name: string): MetadataRecord => ({
  config: { topic, name, value: '', removed: true },
});

/** A broker was given the producer ids below `nextProducerId` (txn T-36). */
export const producerIdsRecord = (brokerId: NodeId, nextProducerId: number): MetadataRecord => ({
  producerIds: { brokerId, nextProducerId },
});

/** A new partition, in leader epoch 0 (repl R-85). */
export function partitionRecord(
  place: { readonly topicId: TopicId; readonly partition: number },
  state: { readonly replicas: readonly NodeId[]; readonly isr: readonly NodeId[]; readonly leader: NodeId },
): MetadataRecord {
  const { topicId, partition } = place;
  const { replicas, isr, leader } = state;
  return { partition: { topicId, partition, replicas: [...replicas], isr: [...isr], leader } };
}

/** A change of a partition (repl R-85). */
export function partitionChangeRecord(
  place: { readonly topicId: TopicId; readonly partition: number },
  delta: PartitionDelta,
): MetadataRecord {
  return {
    partitionChange: {
      topicId: place.topicId,
      partition: place.partition,
      isr: delta.isr === undefined ? null : { ids: [...delta.isr] },
      hasLeader: delta.leader !== undefined,
      leader: delta.leader ?? 0,
      leaderRecoveryState: delta.leaderRecoveryState ?? '',
      reason: delta.reason,
    },
  };
}

/** Whether a committed record is an election that may have lost committed records (repl R-97). */
export function isUnclean(record: MetadataRecord): boolean {
  return (
    record.partitionChange?.hasLeader === true && record.partitionChange.reason === ('unclean' satisfies ChangeReason)
  );
}

export function encodeRecord(record: MetadataRecord): Buffer {
  return Buffer.from(JSON.stringify(record), 'utf8');
}

export function decodeRecord(bytes: Buffer): MetadataRecord {
  return JSON.parse(bytes.toString('utf8')) as MetadataRecord;
}
