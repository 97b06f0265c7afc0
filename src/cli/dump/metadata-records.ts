// Records of the metadata log as Kafka's dump tool prints them: type, version and fields under Kafka's names. What was not
// changed is left out, as Kafka leaves it out; what Kafka has and Highwater has not (log directories, supported features)
// is missing, and what Highwater has besides (`reason`, `registrationOffset`, the cluster's own record) stands last.
import type { MetadataRecord } from '../../protocol/generated/index.ts';

/** Kafka's name of the metadata log, which has one partition. */
export const METADATA_TOPIC = '__cluster_metadata';

type Fields = Readonly<Record<string, unknown>>;

/** A record as people read it. */
export interface DumpedMetadata {
  /** Kafka's name of its type. */
  readonly type: string;
  /** The version of Kafka's record whose fields it has. */
  readonly version: number;
  readonly data: Fields;
}

type Kind = Exclude<keyof MetadataRecord, 'record'>;
type Of<K extends Kind> = NonNullable<MetadataRecord[K]>;
type Reader<K extends Kind> = readonly [type: string, version: number, read: (record: Of<K>) => Fields];

const TOPIC_RESOURCE = 2;
const BROKER_RESOURCE = 4;

const READERS: { readonly [K in Kind]: Reader<K> } = {
  cluster: ['CLUSTER_RECORD', 0, ({ clusterId }) => ({ clusterId })],
  featureLevel: ['FEATURE_LEVEL_RECORD', 0, ({ name, level }) => ({ name, featureLevel: level })],
  config: ['CONFIG_RECORD', 0, configFields],
  registerBroker: ['REGISTER_BROKER_RECORD', 1, registrationFields],
  brokerRegistrationChange: ['BROKER_REGISTRATION_CHANGE_RECORD', 1, registrationChangeFields],
  unregisterBroker: ['UNREGISTER_BROKER_RECORD', 0, ({ brokerId, brokerEpoch }) => ({ brokerId, brokerEpoch })],
  topic: ['TOPIC_RECORD', 0, ({ name, topicId }) => ({ name, topicId })],
  removeTopic: ['REMOVE_TOPIC_RECORD', 0, ({ topicId }) => ({ topicId })],
  partition: ['PARTITION_RECORD', 2, partitionFields],
  partitionChange: ['PARTITION_CHANGE_RECORD', 2, partitionChangeFields],
  clearElr: ['CLEAR_ELR_RECORD', 0, ({ topic }) => ({ topicName: topic })],
  producerIds: ['PRODUCER_IDS_RECORD', 0, ({ brokerId, nextProducerId }) => ({ brokerId, nextProducerId })],
};

/** What a record says; a sentence if it is of no type that is known here. */
export function dumpMetadata(record: MetadataRecord): DumpedMetadata | string {
  for (const kind of Object.keys(READERS) as Kind[]) {
    const read = readAs(kind, record);
    if (read !== undefined) return read;
  }
  return `cannot be read (no known type in ${Object.keys(record).join(', ') || 'an empty record'})`;
}

function readAs<K extends Kind>(kind: K, record: MetadataRecord): DumpedMetadata | undefined {
  const value = record[kind];
  if (value === undefined || value === null) return undefined;
  const [type, version, read] = READERS[kind];
  return { type, version, data: read(value) };
}

function configFields({ topic, name, value, removed }: Of<'config'>): Fields {
  const resourceType = topic === '' ? BROKER_RESOURCE : TOPIC_RESOURCE;
  return { resourceType, resourceName: topic, name, value: removed ? null : value };
}

function registrationFields(record: Of<'registerBroker'>): Fields {
  const { brokerId, incarnationId, brokerEpoch, endpoints, rack, fenced, inControlledShutdown } = record;
  return {
    ...{ brokerId, incarnationId, brokerEpoch },
    endPoints: endpoints.map(({ name, host, port }) => ({ name, host, port })),
    ...{ rack: rack === '' ? null : rack, fenced, inControlledShutdown },
    ...only('registrationOffset', record.registrationOffset, 0),
  };
}

/** In Kafka 1 and -1 say what changed; here a record carries both states, so that -1 may say what was so already. */
function registrationChangeFields(record: Of<'brokerRegistrationChange'>): Fields {
  const { brokerId, brokerEpoch, fenced, inControlledShutdown } = record;
  return {
    ...{ brokerId, brokerEpoch, fenced: fenced ? 1 : -1 },
    ...only('inControlledShutdown', Number(inControlledShutdown), 0),
  };
}

function partitionFields(record: Of<'partition'>): Fields {
  const { partition: partitionId, topicId, replicas, isr, removingReplicas, addingReplicas } = record;
  const { leader, leaderRecoveryState, leaderEpoch, partitionEpoch, elr, lastKnownElr } = record;
  return {
    ...{ partitionId, topicId, replicas, isr, removingReplicas, addingReplicas, leader },
    ...recoveryField(leaderRecoveryState === 'RECOVERED' ? '' : leaderRecoveryState),
    ...{ leaderEpoch, partitionEpoch },
    ...(elr.length === 0 ? {} : { eligibleLeaderReplicas: elr }),
    ...(lastKnownElr.length === 0 ? {} : { lastKnownElr }),
  };
}

function partitionChangeFields(record: Of<'partitionChange'>): Fields {
  const { partition: partitionId, topicId, isr, hasLeader, leader, replicas, reason } = record;
  return {
    ...{ partitionId, topicId },
    ...only('isr', isr?.ids, undefined),
    ...(hasLeader ? { leader } : {}),
    ...only('replicas', replicas?.ids, undefined),
    ...only('removingReplicas', record.removingReplicas?.ids, undefined),
    ...only('addingReplicas', record.addingReplicas?.ids, undefined),
    ...recoveryField(record.leaderRecoveryState),
    ...only('eligibleLeaderReplicas', record.elr?.ids, undefined),
    ...only('lastKnownElr', record.lastKnownElr?.ids, undefined),
    reason,
  };
}

/** Kafka's number: 0 is RECOVERED, 1 RECOVERING; '': unchanged. */
function recoveryField(state: string): Fields {
  return state === '' ? {} : { leaderRecoveryState: state === 'RECOVERING' ? 1 : 0 };
}

/** The field unless it has the value that stands for nothing. */
function only(name: string, value: unknown, nothing: unknown): Fields {
  return value === undefined || value === nothing ? {} : { [name]: value };
}
