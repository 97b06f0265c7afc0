// EndTxn (key 26), versions 0-5: a producer commits or aborts (txn T-72 to T-80, wire W-85).
//
// Behaviour: decided by the transaction coordinator; here only bytes change form. The version is the variant (txn T-190):
// from v5 on every transaction has an epoch of its own, and the answer says which identity comes next.
// Versions: 2 PRODUCER_FENCED (below: INVALID_PRODUCER_EPOCH, wire W-83); 3 compact forms; 4 as 3, of clients that know
// TRANSACTION_ABORTABLE; 5 the next identity.
//
// Request: transactionalId:str; producerId:i64; producerEpoch:i16; committed:bool
//
// Response: throttleTimeMs:i32; errorCode:i16; producerId:i64=-1 @5+; producerEpoch:i16=-1 @5+
import { errorCode, respond, type WireApi } from './api.ts';
import { toldFenced } from './txn-errors.ts';

export interface EndTxnRequest {
  readonly transactionalId: string;
  readonly producerId: number;
  readonly producerEpoch: number;
  readonly committed: boolean;
}

export interface EndTxnResponse {
  readonly errorCode: number;
  readonly producerId: number;
  readonly producerEpoch: number;
}

/** First version of the variant that gives every transaction its own epoch. */
const BUMPING_FROM = 5;

export const endTxn: WireApi<EndTxnRequest, EndTxnResponse> = {
  key: 26,
  name: 'EndTxn',
  advertised: { min: 0, max: 3 },
  advertisedTv2: { min: 0, max: 5 },
  implemented: { min: 0, max: 5 },
  flexibleFrom: 3,

  decode(reader) {
    const request = {
      transactionalId: reader.string(),
      producerId: reader.int64(),
      producerEpoch: reader.int16(),
      committed: reader.bool(),
    };
    reader.tags();
    return request;
  },

  serve(request, call, answer) {
    const transactionVersion = call.version >= BUMPING_FROM ? 2 : 0;
    call.broker.coordinate('EndTxn', { ...request, transactionVersion }, ({ error, producerId, producerEpoch }) =>
      answer(() => respond({ errorCode: errorCode(toldFenced(error, call.version, 2)), producerId, producerEpoch })),
    );
    return undefined;
  },

  encode(writer, response, version) {
    writer.int32(0).int16(response.errorCode);
    if (version >= BUMPING_FROM) writer.int64(response.producerId).int16(response.producerEpoch);
    writer.tags();
  },

  refuse: (_request, code) => ({ errorCode: code, producerId: -1, producerEpoch: -1 }),
};
