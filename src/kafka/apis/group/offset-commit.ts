// OffsetCommit (key 8), versions 2-9: the members of a group, and tools, commit what was read (wire G-31 to G-34).
//
// Behaviour: decided by the coordinator. Versions 0 and 1 are advertised but not implemented (wire W-33). A topic entry may
// repeat and is answered where it stands. Null metadata is stored as "" (wire G-33).
// Versions: 2-4 retentionTimeMs, -1 for the broker's own (wire G-9); 3 throttleTimeMs; 6 leader epochs; 7 static members;
// 8 compact forms; 9 GROUP_ID_NOT_FOUND for a generation of a group that is not there (below: ILLEGAL_GENERATION, wire G-32).
//
// Request: groupId:str; generationIdOrMemberEpoch:i32=-1; memberId:str; groupInstanceId:str?=null @7+;
// retentionTimeMs:i64=-1 @2-4; topics[]{name:str; partitions[]{partitionIndex:i32; committedOffset:i64;
// committedLeaderEpoch:i32=-1 @6+; committedMetadata:str?}}
//
// Response: throttleTimeMs:i32 @3+; topics[]{name:str; partitions[]{partitionIndex:i32; errorCode:i16}}
import type { RequestOf, ResponseOf } from '../../../protocol/apis.ts';
import type { ErrorName } from '../../../protocol/errors.ts';
import { errorCode, respond, type WireApi } from '../api.ts';
import { inTurn } from '../in-turn.ts';

export interface OffsetCommitRequest {
  readonly groupId: string;
  readonly generationIdOrMemberEpoch: number;
  readonly memberId: string;
  readonly groupInstanceId: string | null;
  readonly retentionTimeMs: number;
  readonly topics: readonly { readonly name: string; readonly partitions: readonly CommittedPartition[] }[];
}
export interface CommittedPartition {
  readonly partitionIndex: number;
  readonly committedOffset: number;
  readonly committedLeaderEpoch: number;
  readonly committedMetadata: string | null;
}

export interface OffsetCommitResponse {
  readonly topics: readonly {
    readonly name: string;
    readonly partitions: readonly { readonly partitionIndex: number; readonly errorCode: number }[];
  }[];
}

/** The broker's settings say for how long a commit holds. */
const BROKERS_RETENTION = -1;

export const offsetCommit: WireApi<OffsetCommitRequest, OffsetCommitResponse> = {
  key: 8,
  name: 'OffsetCommit',
  advertised: { min: 0, max: 9 },
  implemented: { min: 2, max: 9 },
  flexibleFrom: 8,

  decode(reader, version) {
    const request = {
      groupId: reader.string(),
      generationIdOrMemberEpoch: reader.int32(),
      memberId: reader.string(),
      groupInstanceId: version >= 7 ? reader.nullableString() : null,
      retentionTimeMs: version <= 4 ? reader.int64() : BROKERS_RETENTION,
      topics: reader.structs(() => ({
        name: reader.string(),
        partitions: reader.structs(() => ({
          partitionIndex: reader.int32(),
          committedOffset: reader.int64(),
          committedLeaderEpoch: version >= 6 ? reader.int32() : -1,
          committedMetadata: reader.nullableString(),
        })),
      })),
    };
    reader.tags();
    return request;
  },

  serve(request, call, answer) {
    call.broker.coordinate('OffsetCommit', toBroker(request), (response) =>
      answer(() => respond(fromBroker(request, response, call.version))),
    );
    return undefined;
  },

  encode(writer, response, version) {
    if (version >= 3) writer.int32(0);
    writer.structs(response.topics, ({ name, partitions }) => {
      writer.string(name).structs(partitions, (partition) => {
        writer.int32(partition.partitionIndex).int16(partition.errorCode);
      });
    });
    writer.tags();
  },

  refuse(request, code) {
    return eachPartition(request, () => code);
  },
};

function toBroker(request: OffsetCommitRequest): RequestOf<'OffsetCommit'> {
  const { groupId, memberId, generationIdOrMemberEpoch, groupInstanceId, retentionTimeMs, topics } = request;
  return {
    ...{ groupId, memberId, generationId: generationIdOrMemberEpoch, groupInstanceId: groupInstanceId ?? '' },
    ...{ hasRetentionTime: retentionTimeMs !== BROKERS_RETENTION, retentionTimeMs },
    offsets: topics.flatMap(({ name, partitions }) =>
      partitions.map((partition) => ({
        ...{ topic: name, partition: partition.partitionIndex, offset: partition.committedOffset },
        ...{ leaderEpoch: partition.committedLeaderEpoch, metadata: partition.committedMetadata ?? '' },
      })),
    ),
  };
}

function fromBroker(
  request: OffsetCommitRequest,
  response: ResponseOf<'OffsetCommit'>,
  version: number,
): OffsetCommitResponse {
  const next = inTurn(response.partitions);
  return eachPartition(request, (partition) => errorCode(errorFor(next(partition).error, version)));
}

function errorFor(error: ErrorName, version: number): ErrorName {
  return error === 'GROUP_ID_NOT_FOUND' && version < 9 ? 'ILLEGAL_GENERATION' : error;
}

function eachPartition({ topics }: OffsetCommitRequest, codeOf: (partition: number) => number): OffsetCommitResponse {
  return {
    topics: topics.map(({ name, partitions }) => ({
      name,
      partitions: partitions.map(({ partitionIndex }) => ({ partitionIndex, errorCode: codeOf(partitionIndex) })),
    })),
  };
}
