// Request bodies by the names of the field tables, complete for every version, for tests that change one thing.
import { encodeBatch } from '../../src/log/encode-batch.ts';
import type { Struct } from './generic-codec.ts';

export const PRODUCE = 0;
export const FETCH = 1;
export const LIST_OFFSETS = 2;
export const METADATA = 3;
export const API_VERSIONS = 18;
export const INIT_PRODUCER_ID = 22;

export const NO_ID = 'AAAAAAAAAAAAAAAAAAAAAA';
export const TIME = 1_700_000_000_000;

export const DEMO: Struct = { clientSoftwareName: 'demo', clientSoftwareVersion: '1.0' };

/** A batch of records with these values, a millisecond apart. */
export function batchOf(...values: string[]): Buffer {
  return encodeBatch(values.map((value, i) => ({ timestamp: TIME + i, key: null, value: Buffer.from(value) })));
}

/** A produce of one partition of topic "t". */
export function produceBody(acks: number, records: Buffer | null = batchOf('a'), topic = 't'): Struct {
  const topicData = [{ name: topic, partitionData: [{ index: 0, records }] }];
  return { transactionalId: null, acks, timeoutMs: 1000, topicData };
}

/** A fetch of t-0 from its start. */
export function fetchBody(more: Struct = {}): Struct {
  return {
    ...{ replicaId: -1, maxWaitMs: 0, minBytes: 1, maxBytes: 1_000_000, isolationLevel: 0, sessionId: 0 },
    ...{ sessionEpoch: -1, forgottenTopicsData: [], rackId: '' },
    topics: [{ topic: 't', topicId: NO_ID, partitions: [fetchPartition()] }],
    ...more,
  };
}

export function fetchPartition(more: Struct = {}): Struct {
  return {
    ...{ partition: 0, currentLeaderEpoch: -1, fetchOffset: 0, lastFetchedEpoch: -1, logStartOffset: -1 },
    ...{ partitionMaxBytes: 1_000_000, ...more },
  };
}

/** A ListOffsets of t-0 at each of these timestamps, one topic entry each. */
export function listOffsetsBody(timestamp: number, more: Struct = {}): Struct {
  const partitions = [{ partitionIndex: 0, currentLeaderEpoch: -1, timestamp }];
  return { replicaId: -1, isolationLevel: 0, topics: [{ name: 't', partitions }], ...more };
}

/** A Metadata of topics by name; null: all. */
export function metadataBody(names: readonly (string | null)[] | null, more: Struct = {}): Struct {
  return {
    ...{ allowAutoTopicCreation: false, includeClusterAuthorizedOperations: false },
    includeTopicAuthorizedOperations: false,
    topics: names === null ? null : names.map((name) => ({ topicId: NO_ID, name })),
    ...more,
  };
}
