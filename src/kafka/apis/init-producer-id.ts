// InitProducerId (key 22), versions 0-4: an identity for a producer that numbers its batches (txn T-38 to T-40).
//
// Behaviour: decided by the broker; here only bytes change form. A null transactional id is none, an empty one is an error.
// Versions: 2 compact forms; 3 the identity that the producer has. Error codes do not depend on the version: PRODUCER_FENCED
// (wire W-83) comes with transactions.
//
// Request: transactionalId:str?; transactionTimeoutMs:i32; producerId:i64=-1 @3+; producerEpoch:i16=-1 @3+
//
// Response: throttleTimeMs:i32; errorCode:i16; producerId:i64=-1; producerEpoch:i16
import { errorCode, respond, type WireApi } from './api.ts';

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
  implemented: { min: 0, max: 4 },
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
    // The other APIs of transactions are not served over the wire yet (docs/divergence.md).
    if (hasTransactionalId && transactionalId !== '') {
      answer(() => respond({ errorCode: errorCode('UNSUPPORTED_VERSION'), producerId: -1, producerEpoch: -1 }));
      return undefined;
    }
    call.broker.initProducerId(
      { hasTransactionalId, transactionalId: transactionalId ?? '', ...rest },
      ({ error, producerId, producerEpoch }) =>
        answer(() => respond({ errorCode: errorCode(error), producerId, producerEpoch })),
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
