// ListOffsets (key 2), versions 1-7: earliest, latest, or the first offset at a time (wire W-80, repl R-37).
//
// Behaviour: version 0 is advertised but not implemented (wire W-33). Nobody is taken for a follower here, whatever
// replicaId says: replicas use their own stream; -2 stays the debug reader of repl R-21. A negative timestamp that the
// version does not know is error 35, unless the partition is named twice.
// Versions: 2 isolationLevel, throttleTimeMs; 4 leader epochs; 5 OFFSET_NOT_AVAILABLE (below: LEADER_NOT_AVAILABLE);
// 6 compact forms; 7 timestamp -3, the largest timestamp.
//
// Request: replicaId:i32; isolationLevel:i8 @2+; topics[]{name:str; partitions[]{partitionIndex:i32;
// currentLeaderEpoch:i32=-1 @4+; timestamp:i64}}; timeoutMs:i32 @10+
//
// Response: throttleTimeMs:i32 @2+; topics[]{name:str; partitions[]{partitionIndex:i32; errorCode:i16; timestamp:i64=-1;
// offset:i64=-1; leaderEpoch:i32=-1 @4+}}
import type { RequestOf, ResponseOf } from '../../protocol/apis.ts';
import type { ErrorName } from '../../protocol/errors.ts';
import { errorCode, respond, type WireApi } from './api.ts';
import { inTurn } from './in-turn.ts';

export interface ListOffsetsRequest {
  readonly replicaId: number;
  readonly isolationLevel: number;
  readonly topics: readonly { readonly name: string; readonly partitions: readonly RequestedOffset[] }[];
}
export interface RequestedOffset {
  readonly partitionIndex: number;
  readonly currentLeaderEpoch: number;
  readonly timestamp: number;
}

export interface ListOffsetsResponse {
  readonly topics: readonly { readonly name: string; readonly partitions: readonly ListedOffset[] }[];
}
export interface ListedOffset {
  readonly partitionIndex: number;
  readonly errorCode: number;
  readonly timestamp: number;
  readonly offset: number;
  readonly leaderEpoch: number;
}

const CONSUMER = -1;
const DEBUG_READER = -2;

export const listOffsets: WireApi<ListOffsetsRequest, ListOffsetsResponse> = {
  key: 2,
  name: 'ListOffsets',
  advertised: { min: 0, max: 7 },
  implemented: { min: 1, max: 7 },
  flexibleFrom: 6,

  decode(reader, version) {
    const request = {
      replicaId: reader.int32(),
      isolationLevel: version >= 2 ? reader.int8() : 0,
      topics: reader.structs(() => ({
        name: reader.string(),
        partitions: reader.structs(() => ({
          partitionIndex: reader.int32(),
          currentLeaderEpoch: version >= 4 ? reader.int32() : -1,
          timestamp: reader.int64(),
        })),
      })),
    };
    reader.tags();
    return request;
  },

  serve(request, call, answer) {
    call.broker.listOffsets(toBroker(request), (response) =>
      answer(() => respond(fromBroker(request, response, call.version))),
    );
    return undefined;
  },

  encode(writer, response, version) {
    if (version >= 2) writer.int32(0);
    writer.structs(response.topics, (topic) => {
      writer.string(topic.name).structs(topic.partitions, (partition) => {
        writer.int32(partition.partitionIndex).int16(partition.errorCode);
        writer.int64(partition.timestamp).int64(partition.offset);
        if (version >= 4) writer.int32(partition.leaderEpoch);
      });
    });
    writer.tags();
  },

  refuse(request, code) {
    return {
      topics: request.topics.map(({ name, partitions }) => ({
        name,
        partitions: partitions.map(({ partitionIndex }) => refusedOffset(partitionIndex, code)),
      })),
    };
  },
};

function toBroker(request: ListOffsetsRequest): RequestOf<'ListOffsets'> {
  return {
    replicaId: request.replicaId === DEBUG_READER ? DEBUG_READER : CONSUMER,
    isolationLevel: request.isolationLevel,
    partitions: request.topics.flatMap(({ name, partitions }) =>
      partitions.map(({ partitionIndex, currentLeaderEpoch, timestamp }) => ({
        ...{ topic: name, partition: partitionIndex, currentLeaderEpoch, timestamp },
      })),
    ),
  };
}

function fromBroker(
  request: ListOffsetsRequest,
  response: ResponseOf<'ListOffsets'>,
  version: number,
): ListOffsetsResponse {
  const next = inTurn(response.partitions);
  return {
    topics: request.topics.map(({ name, partitions }) => {
      const listed = partitions.map((asked) => listedOffset(next(asked.partitionIndex), asked.timestamp, version));
      // One that was named twice is answered once.
      return { name, partitions: [...new Map(listed.map((each) => [each.partitionIndex, each])).values()] };
    }),
  };
}

function listedOffset(
  listed: ResponseOf<'ListOffsets'>['partitions'][number],
  timestamp: number,
  version: number,
): ListedOffset {
  const { partition: partitionIndex, timestamp: found, offset, leaderEpoch } = listed;
  const error = errorFor(listed.error, timestamp, version);
  if (error !== 'NONE') return refusedOffset(partitionIndex, errorCode(error));
  return { partitionIndex, errorCode: errorCode('NONE'), timestamp: found, offset, leaderEpoch };
}

function errorFor(error: ErrorName, timestamp: number, version: number): ErrorName {
  if (error === 'INVALID_REQUEST') return error;
  if (timestamp < (version >= 7 ? -3 : -2)) return 'UNSUPPORTED_VERSION';
  return error === 'OFFSET_NOT_AVAILABLE' && version < 5 ? 'LEADER_NOT_AVAILABLE' : error;
}

function refusedOffset(partitionIndex: number, code: number): ListedOffset {
  return { partitionIndex, errorCode: code, timestamp: -1, offset: -1, leaderEpoch: -1 };
}
