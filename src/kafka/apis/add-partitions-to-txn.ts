// AddPartitionsToTxn (key 24), versions 0-3: a producer says which partitions its transaction is about to write to (txn T-54 to
// T-57, wire W-84).
//
// Behaviour: decided by the transaction coordinator; here only bytes change form. Versions 4 and 5 are for brokers among
// themselves and are never advertised: a client that sees them would send their form (wire W-55, W-66).
// Versions: 2 PRODUCER_FENCED (below: INVALID_PRODUCER_EPOCH, wire W-83); 3 compact forms.
//
// Request: v3AndBelowTransactionalId:str; v3AndBelowProducerId:i64; v3AndBelowProducerEpoch:i16;
// v3AndBelowTopics[]{name:str; partitions[] i32}
//
// Response: throttleTimeMs:i32; resultsByTopicV3AndBelow[]{name:str; resultsByPartition[]{partitionIndex:i32;
// partitionErrorCode:i16}}
import { errorCode, respond, type WireApi } from './api.ts';
import { inTurn } from './in-turn.ts';
import { toldFenced } from './txn-errors.ts';

export interface AddPartitionsToTxnRequest {
  readonly v3AndBelowTransactionalId: string;
  readonly v3AndBelowProducerId: number;
  readonly v3AndBelowProducerEpoch: number;
  readonly v3AndBelowTopics: readonly { readonly name: string; readonly partitions: readonly number[] }[];
}

export interface AddPartitionsToTxnResponse {
  readonly resultsByTopicV3AndBelow: readonly {
    readonly name: string;
    readonly resultsByPartition: readonly AddedPartition[];
  }[];
}
export interface AddedPartition {
  readonly partitionIndex: number;
  readonly partitionErrorCode: number;
}

export const addPartitionsToTxn: WireApi<AddPartitionsToTxnRequest, AddPartitionsToTxnResponse> = {
  key: 24,
  name: 'AddPartitionsToTxn',
  advertised: { min: 0, max: 3 },
  implemented: { min: 0, max: 3 },
  flexibleFrom: 3,

  decode(reader) {
    const request = {
      v3AndBelowTransactionalId: reader.string(),
      v3AndBelowProducerId: reader.int64(),
      v3AndBelowProducerEpoch: reader.int16(),
      v3AndBelowTopics: reader.structs(() => ({
        name: reader.string(),
        partitions: reader.array(() => reader.int32()),
      })),
    };
    reader.tags();
    return request;
  },

  serve(request, call, answer) {
    const asked = {
      transactionalId: request.v3AndBelowTransactionalId,
      producerId: request.v3AndBelowProducerId,
      producerEpoch: request.v3AndBelowProducerEpoch,
      topics: request.v3AndBelowTopics.map(({ name, partitions }) => ({ topic: name, partitions: [...partitions] })),
    };
    call.broker.coordinate('AddPartitionsToTxn', asked, (response) =>
      answer(() => {
        const next = inTurn(response.partitions);
        return respond(toEach(request, (partition) => errorCode(toldFenced(next(partition).error, call.version, 2))));
      }),
    );
    return undefined;
  },

  encode(writer, response) {
    writer.int32(0).structs(response.resultsByTopicV3AndBelow, ({ name, resultsByPartition }) => {
      writer.string(name).structs(resultsByPartition, ({ partitionIndex, partitionErrorCode }) => {
        writer.int32(partitionIndex).int16(partitionErrorCode);
      });
    });
    writer.tags();
  },

  refuse: (request, code) => toEach(request, () => code),
};

function toEach(
  { v3AndBelowTopics }: AddPartitionsToTxnRequest,
  codeOf: (partition: number) => number,
): AddPartitionsToTxnResponse {
  return {
    resultsByTopicV3AndBelow: v3AndBelowTopics.map(({ name, partitions }) => ({
      name,
      resultsByPartition: partitions.map((partitionIndex) => {
        return { partitionIndex, partitionErrorCode: codeOf(partitionIndex) };
      }),
    })),
  };
}
