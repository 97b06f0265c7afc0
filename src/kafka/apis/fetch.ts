// Fetch (key 1), versions 4-17: reads record batches, long polled (wire W-75, W-76, repl ).
//
// Behaviour: versions 0-3 are advertised but not implemented (wire W-33, W-44). There are no fetch sessions: session id 0
// is answered always, and a request that continues one is error 70 (wire W-75). Nobody is taken for a follower here,
// whatever replicaId says: replicas use their own stream. A topic entry may repeat and is answered where it stands
// (wire W-53, W-76). Records are empty, never null (wire W-46); abortedTransactions is null for read_uncommitted.
// Versions: 5 logStartOffset; 6 KAFKA_STORAGE_ERROR (below: NOT_LEADER_OR_FOLLOWER); 7 sessions, top-level error;
// 9 currentLeaderEpoch; 10 zstd; 11 rackId, preferredReadReplica (repl R-35); 12 lastFetchedEpoch, divergingEpoch, compact
// forms; 13 topic ids; 15 a follower names itself in a tag, which is read over; 16 leader hints. Versions 14 to 17 are
// advertised only with the hints (wire W-62).
//
// Request: clusterId:str?=null #tag0 @12+; replicaId:i32=-1 @4-14; replicaState{replicaId:i32=-1; replicaEpoch:i64=-1} #tag1
// @15+; maxWaitMs:i32; minBytes:i32; maxBytes:i32=2147483647; isolationLevel:i8; sessionId:i32 @7+; sessionEpoch:i32=-1 @7+;
// topics[]{topic:str @4-12; topicId:uuid @13+; partitions[]{partition:i32; currentLeaderEpoch:i32=-1 @9+; fetchOffset:i64;
// lastFetchedEpoch:i32=-1 @12+; logStartOffset:i64=-1 @5+; partitionMaxBytes:i32; replicaDirectoryId:uuid #tag0 @17+}};
// forgottenTopicsData[]{topic:str @7-12; topicId:uuid @13+; partitions[] i32} @7+; rackId:str @11+
//
// Response: throttleTimeMs:i32; errorCode:i16 @7+; sessionId:i32 @7+; responses[]{topic:str @4-12; topicId:uuid @13+;
// partitions[]{partitionIndex:i32; errorCode:i16; highWatermark:i64; lastStableOffset:i64=-1; logStartOffset:i64=-1 @5+;
// divergingEpoch{epoch:i32=-1; endOffset:i64=-1} #tag0 @12+; currentLeader{leaderId:i32=-1; leaderEpoch:i32=-1} #tag1 @12+;
// snapshotId{endOffset:i64=-1; epoch:i32=-1} #tag2 @12+; abortedTransactions[]?{producerId:i64; firstOffset:i64};
// preferredReadReplica:i32=-1 @11+; records:records?}}; nodeEndpoints[]{nodeId:i32; host:str; port:i32; rack:str?=null} #tag0
// @16+
import type { RequestOf, ResponseOf } from '../../protocol/apis.ts';
import type { ErrorName } from '../../protocol/errors.ts';
import type { FetchedPartition as Fetched } from '../../protocol/generated/index.ts';
import type { Reader } from '../../base/field-reader.ts';
import type { Tag, Writer } from '../../base/field-writer.ts';
import { errorCode, respond, type WireApi } from './api.ts';
import { inTurn } from './in-turn.ts';
import { currentLeaderTag, leaderHints, nodeEndpointsTag } from './leader-hints.ts';
import type { CurrentLeader, LeaderHints, NodeEndpoint } from './leader-hints.ts';

export interface FetchRequest {
  readonly maxWaitMs: number;
  readonly minBytes: number;
  readonly maxBytes: number;
  readonly isolationLevel: number;
  readonly sessionId: number;
  readonly sessionEpoch: number;
  readonly topics: readonly FetchTopic[];
  /** Empty before version 11: then the leader alone may answer (repl R-24). */
  readonly rackId: string;
}
/** Named by `topic` up to v12, by `topicId` from v13 on. */
export interface FetchTopic {
  readonly topic: string;
  readonly topicId: string;
  readonly partitions: readonly FetchPartition[];
}
export interface FetchPartition {
  readonly partition: number;
  readonly currentLeaderEpoch: number;
  readonly fetchOffset: number;
  readonly lastFetchedEpoch: number;
  readonly partitionMaxBytes: number;
}

export interface FetchResponse {
  readonly errorCode: number;
  readonly responses: readonly FetchedTopic[];
  readonly nodeEndpoints: readonly NodeEndpoint[];
}
export interface FetchedTopic {
  readonly topic: string;
  readonly topicId: string;
  readonly partitions: readonly FetchedPartition[];
}
export interface FetchedPartition {
  readonly partitionIndex: number;
  readonly errorCode: number;
  readonly highWatermark: number;
  readonly lastStableOffset: number;
  readonly logStartOffset: number;
  readonly divergingEpoch: { readonly epoch: number; readonly endOffset: number } | null;
  readonly currentLeader: CurrentLeader | null;
  readonly abortedTransactions: readonly { readonly producerId: number; readonly firstOffset: number }[] | null;
  /** -1: none. */
  readonly preferredReadReplica: number;
  readonly records: Buffer;
  /** A follower answers. No field of the wire, for recorders. */
  readonly fromFollower: boolean;
}

const READ_COMMITTED = 1;
/** First version whose consumers say where they stand. */
const RACKS_FROM = 11;
/** First version with leader hints. */
const HINTS_FROM = 16;
/** Errors of clients that should have asked another broker. */
const MISDIRECTED: readonly ErrorName[] = ['NOT_LEADER_OR_FOLLOWER', 'FENCED_LEADER_EPOCH'];
/** Errors of partitions that were not looked for in a log: Kafka leaves their aborted transactions empty, not null. */
const UNREAD = (['UNKNOWN_TOPIC_OR_PARTITION', 'UNKNOWN_TOPIC_ID'] as const).map(errorCode);
const NO_RECORDS = Buffer.alloc(0);

export const fetch: WireApi<FetchRequest, FetchResponse> = {
  key: 1,
  name: 'Fetch',
  advertised: { min: 0, max: 13 },
  advertisedHints: { min: 0, max: 17 },
  implemented: { min: 4, max: 17 },
  flexibleFrom: 12,

  decode(reader, version) {
    if (version <= 14) reader.int32(); // replicaId
    const request = {
      maxWaitMs: reader.int32(),
      minBytes: reader.int32(),
      maxBytes: reader.int32(),
      isolationLevel: reader.int8(),
      sessionId: version >= 7 ? reader.int32() : 0,
      sessionEpoch: version >= 7 ? reader.int32() : -1,
      topics: reader.structs(() => readTopic(reader, version)),
    };
    if (version >= 7) readForgotten(reader, version);
    const rackId = version >= RACKS_FROM ? reader.string() : '';
    reader.tags({
      0: (tag) => tag.nullableString(), // clusterId
      ...(version >= 15 && { 1: readReplicaState }),
    });
    return { ...request, rackId };
  },

  serve(request, call, answer) {
    if (request.sessionEpoch !== 0 && request.sessionEpoch !== -1) {
      const none = { responses: [], nodeEndpoints: [] };
      answer(() => respond({ errorCode: errorCode('FETCH_SESSION_ID_NOT_FOUND'), ...none }));
      return undefined;
    }
    return call.broker.fetch(toBroker(request, call.version), (response) =>
      leaderHints(call, misdirected(response, call.version), (hints) =>
        answer(() => respond(fromBroker(request, response, { hints, version: call.version }))),
      ),
    );
  },

  encode(writer, response, version) {
    writer.int32(0);
    if (version >= 7) writer.int16(response.errorCode).int32(0);
    writer.structs(response.responses, (topic) => {
      if (version >= 13) writer.uuid(topic.topicId);
      else writer.string(topic.topic);
      writer.structs(topic.partitions, (partition) => writePartition(writer, partition, version));
    });
    writer.tags(version >= HINTS_FROM ? nodeEndpointsTag(response.nodeEndpoints) : []);
  },

  refuse: refused,
};

function refused(request: FetchRequest, code: number): FetchResponse {
  return {
    errorCode: code,
    nodeEndpoints: [],
    responses: request.topics.map(({ topic, topicId, partitions }) => ({
      ...{ topic, topicId },
      partitions: partitions.map(({ partition }) => refusedPartition(partition, code, request)),
    })),
  };
}

function readTopic(reader: Reader, version: number): FetchTopic {
  return {
    topic: version <= 12 ? reader.string() : '',
    topicId: version >= 13 ? reader.uuid() : '',
    partitions: reader.structs(
      () => {
        const partition = reader.int32();
        const currentLeaderEpoch = version >= 9 ? reader.int32() : -1;
        const fetchOffset = reader.int64();
        const lastFetchedEpoch = version >= 12 ? reader.int32() : -1;
        if (version >= 5) reader.int64(); // logStartOffset, a follower's
        return { partition, currentLeaderEpoch, fetchOffset, lastFetchedEpoch, partitionMaxBytes: reader.int32() };
      },
      version >= 17 ? { 0: (tag) => tag.uuid() } : {},
    ), // replicaDirectoryId
  };
}

/** A follower's id and epoch: read for its bounds. */
function readReplicaState(tag: Reader): void {
  tag.int32();
  tag.int64();
  tag.tags();
}

/** Read for its bounds; without sessions there is nothing to forget. */
function readForgotten(reader: Reader, version: number): void {
  reader.structs(() => {
    if (version >= 13) reader.uuid();
    else reader.string();
    reader.array(() => reader.int32());
  });
}

function toBroker(request: FetchRequest, version: number): RequestOf<'ConsumerFetch'> {
  const { maxWaitMs, minBytes, maxBytes, isolationLevel, rackId } = request;
  return {
    ...{ replicaId: -1, replicaEpoch: -1, streamGeneration: 0, sequence: 0, full: true, forgotten: [] },
    ...{ maxWaitMs, minBytes, maxBytes, isolationLevel, rackId, leaderOnly: version < RACKS_FROM },
    partitions: request.topics.flatMap(({ topic, topicId, partitions }) =>
      partitions.map((partition) => ({
        ...{ topic, topicId, ...partition, logStartOffset: -1 },
        // Any negative epoch is none.
        currentLeaderEpoch: Math.max(-1, partition.currentLeaderEpoch),
        lastFetchedEpoch: Math.max(-1, partition.lastFetchedEpoch),
      })),
    ),
  };
}

/** Topics of partitions that another broker leads, for versions that are told so. */
function misdirected({ partitions }: ResponseOf<'ConsumerFetch'>, version: number): readonly string[] {
  if (version < HINTS_FROM) return [];
  return partitions.filter(({ error }) => MISDIRECTED.includes(error)).map(({ topic }) => topic);
}

interface Telling {
  readonly hints: LeaderHints;
  readonly version: number;
}

function fromBroker(request: FetchRequest, response: ResponseOf<'ConsumerFetch'>, telling: Telling): FetchResponse {
  if (response.error !== 'NONE') return refused(request, errorCode(response.error));
  const next = inTurn(response.partitions);
  const responses = request.topics.map(({ topic, topicId, partitions }) => ({
    ...{ topic, topicId },
    partitions: partitions.map(({ partition }) => fetched(next(partition), request, telling)),
  }));
  return { errorCode: errorCode('NONE'), responses, nodeEndpoints: telling.hints.endpoints() };
}

function fetched(answer: Fetched, request: FetchRequest, { hints, version }: Telling): FetchedPartition {
  const { partition, highWatermark, lastStableOffset, logStartOffset, records, divergingEpoch } = answer;
  const error = errorFor(answer.error, version);
  if (error !== 'NONE') {
    const currentLeader = MISDIRECTED.includes(answer.error) ? hints.leaderOf(answer.topic, partition) : null;
    return { ...refusedPartition(partition, errorCode(error), request), currentLeader };
  }
  return {
    ...{ partitionIndex: partition, errorCode: errorCode('NONE'), highWatermark, lastStableOffset, logStartOffset },
    ...{ divergingEpoch, currentLeader: null, preferredReadReplica: answer.preferredReadReplica, records },
    fromFollower: answer.fromFollower,
    abortedTransactions: request.isolationLevel === READ_COMMITTED ? answer.abortedTransactions : null,
  };
}

function errorFor(error: ErrorName, version: number): ErrorName {
  return error === 'KAFKA_STORAGE_ERROR' && version <= 5 ? 'NOT_LEADER_OR_FOLLOWER' : error;
}

function refusedPartition(partitionIndex: number, code: number, request: FetchRequest): FetchedPartition {
  return {
    ...{ partitionIndex, errorCode: code, highWatermark: -1, lastStableOffset: -1, logStartOffset: -1 },
    ...{
      divergingEpoch: null,
      currentLeader: null,
      preferredReadReplica: -1,
      records: NO_RECORDS,
      fromFollower: false,
    },
    abortedTransactions: request.isolationLevel === READ_COMMITTED || UNREAD.includes(code) ? [] : null,
  };
}

function writePartition(writer: Writer, partition: FetchedPartition, version: number): readonly Tag[] {
  writer.int32(partition.partitionIndex).int16(partition.errorCode);
  writer.int64(partition.highWatermark).int64(partition.lastStableOffset);
  if (version >= 5) writer.int64(partition.logStartOffset);
  writer.nullableStructs(partition.abortedTransactions, ({ producerId, firstOffset }) => {
    writer.int64(producerId).int64(firstOffset);
  });
  if (version >= 11) writer.int32(partition.preferredReadReplica);
  writer.bytes(partition.records);
  const diverging = partition.divergingEpoch;
  const write = (tag: Writer): void => void tag.int32(diverging!.epoch).int64(diverging!.endOffset).tags();
  const tags: readonly Tag[] = diverging === null ? [] : [{ number: 0, write }];
  return version >= HINTS_FROM ? [...tags, ...currentLeaderTag(1, partition.currentLeader)] : tags;
}
