// InitProducerId (key 22), versions 0-5: an identity for a producer that numbers its batches, or for the new owner of a
// transactional id (txn T-38 to T-53).
//
// Behaviour: decided by the broker; here only bytes change form. A null transactional id is none, an empty one is an error.
// Versions: 2 compact forms; 3 the identity that the producer has; 4 PRODUCER_FENCED (below: INVALID_PRODUCER_EPOCH, wire
// W-83); 5 as 4, of clients that know TRANSACTION_ABORTABLE.
//
// Request: transactionalId:str?; transactionTimeoutMs:i32; producerId:i64=-1 @3+; producerEpoch:i16=-1 @3+
//
// Response: throttleTimeMs:i32; errorCode:i16; producerId:i64=-1; producerEpoch:i16
import { errorCode, respond, type WireApi } from './api.ts';
import { toldFenced } from './txn-errors.ts';

export interface InitProducerIdRequest {
  readonly transactionalId: string | null;
  readonly transactionTimeoutMs: number;
  readonly producerId: number;
  readonly producerEpoch: number;
}

export interface InitProducerIdResponse {
  readonly errorCode: number;
  readonly producerId: number;
  readonly producerEpoch: number;
}

export const initProducerId: WireApi<InitProducerIdRequest, InitProducerIdResponse> = {
  key: 22,
  name: 'InitProducerId',
  advertised: { min: 0, max: 4 },
  advertisedTv2: { min: 0, max: 5 },
  implemented: { min: 0, max: 5 },
  flexibleFrom: 2,

  decode(reader, version) {
    const request = {
      transactionalId: reader.nullableString(),
      transactionTimeoutMs: reader.int32(),
      producerId: version >= 3 ? reader.int64() : -1,
      producerEpoch: version >= 3 ? reader.int16() : -1,
    };
    reader.tags();
    return request;
  },

  serve(request, call, answer) {
    const { transactionalId, ...rest } = request;
    const hasTransactionalId = transactionalId !== null;
    call.broker.initProducerId(
      { hasTransactionalId, transactionalId: transactionalId ?? '', ...rest },
      ({ error, producerId, producerEpoch }) =>
        answer(() => respond({ errorCode: errorCode(toldFenced(error, call.version, 4)), producerId, producerEpoch })),
    );
    return undefined;
  },

  encode(writer, response) {
    writer.int32(0).int16(response.errorCode).int64(response.producerId).int16(response.producerEpoch).tags();
  },

  refuse(_request, code) {
    return { errorCode: code, producerId: -1, producerEpoch: -1 };
  },
};
