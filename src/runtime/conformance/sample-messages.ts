// Messages that exercise every kind of field of the protocol: 64-bit numbers up to 2^53-1, negatives, bytes, enums,
// lists, absent and present sub-messages, oneofs. For the conformance suite; nothing else may depend on their values.
import type { MetadataRecord } from '../../protocol/generated/index.ts';
import type { RequestOf, ResponseOf } from '../../protocol/apis.ts';

const LARGE = Number.MAX_SAFE_INTEGER;
const ID = 'AAAAAAAAAAAAAAAAAAAA_-';

/** Bytes that are no text. */
export const BYTES: Buffer = Buffer.from([0, 1, 0x7f, 0x80, 0xff, 0xc3, 0x28, 0]);

export const FETCH: RequestOf<'Fetch'> = {
  ...{ replicaId: 2, replicaEpoch: LARGE, streamGeneration: 3, sequence: 0, maxWaitMs: 500, minBytes: 1 },
  ...{ maxBytes: 10485760, isolationLevel: 0, full: true },
  partitions: [
    {
      ...{ topicId: ID, topic: '', partition: 0, currentLeaderEpoch: -1, fetchOffset: LARGE },
      ...{ lastFetchedEpoch: -1, logStartOffset: -1, partitionMaxBytes: 1048576 },
    },
  ],
  forgotten: [{ topicId: ID, partition: 7 }],
  ...{ rackId: 'ünïcode', leaderOnly: false },
};

/** One partition with bytes and one that diverges. */
export const FETCHED: ResponseOf<'Fetch'> = {
  ...{ streamGeneration: 3, sequence: 0, error: 'NONE' },
  partitions: [
    {
      ...{ topicId: ID, topic: 'orders', partition: 0, error: 'NONE', highWatermark: 5, lastStableOffset: 5 },
      ...{ logStartOffset: 0, records: BYTES, divergingEpoch: null, currentLeader: -1, currentLeaderEpoch: -1 },
      abortedTransactions: [{ producerId: LARGE, firstOffset: 0 }],
      preferredReadReplica: -1,
      fromFollower: false,
    },
    {
      ...{ topicId: ID, topic: 'ünïcode', partition: 1, error: 'UNKNOWN_SERVER_ERROR', highWatermark: -1 },
      ...{ lastStableOffset: -1, logStartOffset: -1, records: Buffer.alloc(0) },
      divergingEpoch: { epoch: 0, endOffset: 0 },
      ...{
        currentLeader: 0,
        currentLeaderEpoch: 0,
        abortedTransactions: [],
        preferredReadReplica: 2,
        fromFollower: false,
      },
    },
  ],
};

export const METADATA_RECORDS: readonly MetadataRecord[] = [
  { cluster: { clusterId: ID }, record: 'cluster' },
  {
    registerBroker: {
      ...{ brokerId: 1, incarnationId: ID, brokerEpoch: 4, fenced: true, rack: 'a' },
      ...{ inControlledShutdown: false, registrationOffset: 0 },
      endpoints: [{ name: 'KAFKA', host: '127.0.0.1', port: 9092 }],
    },
    record: 'registerBroker',
  },
  {
    partitionChange: {
      ...{ topicId: ID, partition: 0, isr: null, hasLeader: true, leader: -1, leaderRecoveryState: '' },
      ...{ reason: 'fenced', elr: null, lastKnownElr: null },
      ...{ replicas: { ids: [3, 1] }, addingReplicas: { ids: [3] }, removingReplicas: { ids: [] } },
    },
    record: 'partitionChange',
  },
  {
    partitionChange: {
      ...{ topicId: ID, partition: 0, isr: { ids: [] }, hasLeader: false, leader: 0 },
      ...{ leaderRecoveryState: 'RECOVERED', reason: 'isr-shrink', elr: { ids: [2] }, lastKnownElr: { ids: [] } },
      ...{ replicas: null, addingReplicas: null, removingReplicas: null },
    },
    record: 'partitionChange',
  },
];

export const LOG_REQUEST: RequestOf<'MetadataLog'> = { brokerId: 1, fromOffset: 0 };

/** A stream response that is told from others by `baseOffset`. */
export function logResponse(baseOffset: number): ResponseOf<'MetadataLog'> {
  const snapshot = { snapshotOffset: 0, snapshotCount: 0 };
  return { baseOffset, records: [...METADATA_RECORDS], endOffset: LARGE, controllerEpoch: 1, ...snapshot };
}

export const HEARTBEAT: RequestOf<'BrokerHeartbeat'> = {
  ...{ brokerId: 2, brokerEpoch: 7, currentMetadataOffset: 9, wantFence: false, wantShutDown: true },
};

export const HEARTBEAT_ANSWER: ResponseOf<'BrokerHeartbeat'> = {
  ...{ error: 'STALE_BROKER_EPOCH', isCaughtUp: true, isFenced: false, shouldShutDown: true, controllerEpoch: 3 },
  metadataEndOffset: 12,
};
