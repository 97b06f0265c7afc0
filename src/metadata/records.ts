// The metadata log's records as the controller makes them (repl R-84), and their form in its store: JSON whose
// fields stand in the order given here, so that equal records are equal bytes. Decides nothing.
import type { NodeId, TopicId } from '../base/units.ts';
import type { BrokerIds, Endpoint, MetadataRecord } from '../protocol/generated/index.ts';
import type { BrokerRegistration, PartitionRegistration, RecoveryState } from './image.ts';

/**
 * Why a partition changed, as it stands in the log. `unclean` whatever the occasion, if the election was (repl R-97);
 * `last-known` if it was, but of the leader that was last in office (repl R-95).
 */
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
  | 'last-known'
  | 'clean'
  | 'elect-to'
  | 'reassigned'
  | 'reassignment-cancelled'
  | 'reconfigured'
  | 'unregistered';

/** What a partition change carries; what is absent stays (repl R-85). */
export interface PartitionDelta {
  readonly replicas?: readonly NodeId[];
  readonly adding?: readonly NodeId[];
  readonly removing?: readonly NodeId[];
  readonly isr?: readonly NodeId[];
  /** Present, even if it names the leader in office: the leader epoch rises. */
  readonly leader?: NodeId;
  readonly leaderRecoveryState?: RecoveryState;
  readonly elr?: readonly NodeId[];
  readonly lastKnownElr?: readonly NodeId[];
  readonly reason: ChangeReason;
}

export const clusterRecord = (clusterId: string): MetadataRecord => ({ cluster: { clusterId } });

export const featureLevelRecord = (name: string, level: number): MetadataRecord => ({ featureLevel: { name, level } });

/** Repl R-87: a registration. */
export function registerBrokerRecord(
  broker: Pick<BrokerRegistration, 'id' | 'incarnationId' | 'brokerEpoch' | 'fenced'> &
    Partial<Pick<BrokerRegistration, 'rack'>>,
  endpoints: readonly Endpoint[],
): MetadataRecord {
  const { id, incarnationId, brokerEpoch, fenced, rack = '' } = broker;
  const places = endpoints.map(({ name, host, port }) => ({ name, host, port }));
  const outside = { inControlledShutdown: false, registrationOffset: 0 };
  return { registerBroker: { brokerId: id, incarnationId, brokerEpoch, endpoints: places, fenced, rack, ...outside } };
}

/** A broker as it stands, for a snapshot. */
export function brokerStateRecord(broker: BrokerRegistration): MetadataRecord {
  const { inControlledShutdown, registrationOffset } = broker;
  const { registerBroker } = registerBrokerRecord(broker, broker.endpoints);
  return { registerBroker: { ...registerBroker!, inControlledShutdown, registrationOffset } };
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

/** Forgets a broker (repl R-119). */
export const unregisterBrokerRecord = ({ id, brokerEpoch }: BrokerRegistration): MetadataRecord => ({
  unregisterBroker: { brokerId: id, brokerEpoch },
});

/** Forgets the eligible leader replicas of a topic, or of all ('') (repl R-119). */
export const clearElrRecord = (topic: string): MetadataRecord => ({ clearElr: { topic } });

export const topicRecord = (name: string, topicId: TopicId): MetadataRecord => ({ topic: { name, topicId } });

export const removeTopicRecord = (topicId: TopicId): MetadataRecord => ({ removeTopic: { topicId } });

/** A setting of a topic, or of all of them (''). */
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
  const epochs = { leaderEpoch: 0, partitionEpoch: 0, leaderRecoveryState: 'RECOVERED' as const };
  const none = { adding: [], removing: [], elr: [], lastKnownElr: [] };
  const { replicas, isr, leader } = state;
  return partitionStateRecord({ ...place, replicas, isr, leader, ...epochs, ...none });
}

/** A partition as it stands, for a snapshot. */
export function partitionStateRecord(state: Omit<PartitionRegistration, 'topic'>): MetadataRecord {
  const { topicId, partition, leader, leaderEpoch, partitionEpoch, leaderRecoveryState } = state;
  return {
    partition: {
      ...{ topicId, partition, replicas: [...state.replicas], isr: [...state.isr], leader },
      ...{ leaderEpoch, partitionEpoch, leaderRecoveryState },
      ...{ addingReplicas: [...state.adding], removingReplicas: [...state.removing] },
      ...{ elr: [...state.elr], lastKnownElr: [...state.lastKnownElr] },
    },
  };
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
      isr: idsOf(delta.isr),
      hasLeader: delta.leader !== undefined,
      leader: delta.leader ?? 0,
      leaderRecoveryState: delta.leaderRecoveryState ?? '',
      reason: delta.reason,
      elr: idsOf(delta.elr),
      lastKnownElr: idsOf(delta.lastKnownElr),
      replicas: idsOf(delta.replicas),
      addingReplicas: idsOf(delta.adding),
      removingReplicas: idsOf(delta.removing),
    },
  };
}

const idsOf = (ids: readonly NodeId[] | undefined): BrokerIds | null => (ids === undefined ? null : { ids: [...ids] });

const UNCLEAN: readonly string[] = ['unclean', 'last-known'] satisfies ChangeReason[];

/** Whether a committed record is an election that may have lost committed records (repl R-97). */
export function isUnclean({ partitionChange: change }: MetadataRecord): boolean {
  return change?.hasLeader === true && UNCLEAN.includes(change.reason);
}

export function encodeRecord(record: MetadataRecord): Buffer {
  return Buffer.from(JSON.stringify(record), 'utf8');
}

export function decodeRecord(bytes: Buffer): MetadataRecord {
  return JSON.parse(bytes.toString('utf8')) as MetadataRecord;
}
