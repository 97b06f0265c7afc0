// TxnOffsetCommit (key 28), versions 0-5: a producer commits what its transaction has read, with the transaction (txn T-61 to
// T-66, wire G-42 to G-45).
//
// Behaviour: decided by the group coordinator; here only bytes change form. The version is the variant (txn T-190): from v5
// on the offsets partition is added to the transaction, below it must have been added.
// Versions: 2 leader epochs, and COORDINATOR_LOAD_IN_PROGRESS (below: COORDINATOR_NOT_AVAILABLE, wire G-44); 3 who the member
// is (below nobody, who is not fenced) and compact forms; 4 TRANSACTION_ABORTABLE (below: INVALID_TXN_STATE, txn T-121); 5 the
// implicit add.
//
// Request: transactionalId:str; groupId:str; producerId:i64; producerEpoch:i16; generationIdOrMemberEpoch:i32=-1 @3+;
// memberId:str @3+; groupInstanceId:str?=null @3+; topics[]{name:str; partitions[]{partitionIndex:i32; committedOffset:i64;
// committedLeaderEpoch:i32=-1 @2+; committedMetadata:str?}}
//
// Response: throttleTimeMs:i32; topics[]{name:str; partitions[]{partitionIndex:i32; errorCode:i16}}
import type { Reader } from '../../base/field-reader.ts';
import type { RequestOf } from '../../protocol/apis.ts';
import type { ErrorName } from '../../protocol/errors.ts';
import { errorCode, respond, type WireApi } from './api.ts';
import { inTurn } from './in-turn.ts';
import { toldAbortable } from './txn-errors.ts';

export interface TxnOffsetCommitRequest {
  readonly transactionalId: string;
  readonly groupId: string;
  readonly producerId: number;
  readonly producerEpoch: number;
  readonly generationIdOrMemberEpoch: number;
  readonly memberId: string;
  readonly groupInstanceId: string | null;
  readonly topics: readonly { readonly name: string; readonly partitions: readonly OffsetToCommit[] }[];
}
export interface OffsetToCommit {
  readonly partitionIndex: number;
  readonly committedOffset: number;
  readonly committedLeaderEpoch: number;
  readonly committedMetadata: string | null;
}

export interface TxnOffsetCommitResponse {
  readonly topics: readonly { readonly name: string; readonly partitions: readonly CommittedPartition[] }[];
}
export interface CommittedPartition {
  readonly partitionIndex: number;
  readonly errorCode: number;
}

/** First version that adds the offsets partition to the transaction. */
const ADDING_FROM = 5;

export const txnOffsetCommit: WireApi<TxnOffsetCommitRequest, TxnOffsetCommitResponse> = {
  key: 28,
  name: 'TxnOffsetCommit',
  advertised: { min: 0, max: 3 },
  advertisedTv2: { min: 0, max: 5 },
  implemented: { min: 0, max: 5 },
  flexibleFrom: 3,

  decode(reader, version) {
    const request = {
      transactionalId: reader.string(),
      groupId: reader.string(),
      producerId: reader.int64(),
      producerEpoch: reader.int16(),
      generationIdOrMemberEpoch: version >= 3 ? reader.int32() : -1,
      memberId: version >= 3 ? reader.string() : '',
      groupInstanceId: version >= 3 ? reader.nullableString() : null,
      topics: reader.structs(() => ({
        name: reader.string(),
        partitions: reader.structs(() => readOffset(reader, version)),
      })),
    };
    reader.tags();
    return request;
  },

  serve(request, call, answer) {
    call.broker.coordinate('TxnOffsetCommit', toBroker(request, call.version), (response) =>
      answer(() => {
        const next = inTurn(response.partitions);
        return respond(toEach(request, (partition) => errorCode(told(next(partition).error, call.version))));
      }),
    );
    return undefined;
  },

  encode(writer, response) {
    writer.int32(0).structs(response.topics, ({ name, partitions }) => {
      writer.string(name).structs(partitions, (partition) => {
        writer.int32(partition.partitionIndex).int16(partition.errorCode);
      });
    });
    writer.tags();
  },

  refuse: (request, code) => toEach(request, () => code),
};

function readOffset(reader: Reader, version: number): OffsetToCommit {
  return {
    partitionIndex: reader.int32(),
    committedOffset: reader.int64(),
    committedLeaderEpoch: version >= 2 ? reader.int32() : -1,
    committedMetadata: reader.nullableString(),
  };
}

function toBroker(request: TxnOffsetCommitRequest, version: number): RequestOf<'TxnOffsetCommit'> {
  const { transactionalId, groupId, producerId, producerEpoch, memberId } = request;
  return {
    ...{ transactionalId, groupId, producerId, producerEpoch, memberId },
    generationId: request.generationIdOrMemberEpoch,
    groupInstanceId: request.groupInstanceId ?? '',
    transactionVersion: version >= ADDING_FROM ? 2 : 0,
    offsets: request.topics.flatMap(({ name, partitions }) =>
      partitions.map((each) => ({
        topic: name,
        partition: each.partitionIndex,
        offset: each.committedOffset,
        leaderEpoch: each.committedLeaderEpoch,
        metadata: each.committedMetadata ?? '',
      })),
    ),
  };
}

function told(error: ErrorName, version: number): ErrorName {
  if (error === 'COORDINATOR_LOAD_IN_PROGRESS' && version < 2) return 'COORDINATOR_NOT_AVAILABLE';
  return toldAbortable(error, version, 4);
}

function toEach({ topics }: TxnOffsetCommitRequest, codeOf: (partition: number) => number): TxnOffsetCommitResponse {
  return {
    topics: topics.map(({ name, partitions }) => ({
      name,
      partitions: partitions.map(({ partitionIndex }) => ({ partitionIndex, errorCode: codeOf(partitionIndex) })),
    })),
  };
}
