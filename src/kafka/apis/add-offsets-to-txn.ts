// AddOffsetsToTxn (key 25), versions 0-4: a producer says for which group its transaction is about to commit offsets (txn
// T-60, wire G-42).
//
// Behaviour: decided by the transaction coordinator; here only bytes change form.
// Versions: 2 PRODUCER_FENCED (below: INVALID_PRODUCER_EPOCH, wire W-83); 3 compact forms; 4 as 3, of clients that know
// TRANSACTION_ABORTABLE.
//
// Request: transactionalId:str; producerId:i64; producerEpoch:i16; groupId:str
//
// Response: throttleTimeMs:i32; errorCode:i16
import { errorCode, respond, type WireApi } from './api.ts';
import { toldFenced } from './txn-errors.ts';

export interface AddOffsetsToTxnRequest {
  readonly transactionalId: string;
  readonly producerId: number;
  readonly producerEpoch: number;
  readonly groupId: string;
}

export interface AddOffsetsToTxnResponse {
  readonly errorCode: number;
}

export const addOffsetsToTxn: WireApi<AddOffsetsToTxnRequest, AddOffsetsToTxnResponse> = {
  key: 25,
  name: 'AddOffsetsToTxn',
  advertised: { min: 0, max: 3 },
  advertisedTv2: { min: 0, max: 4 },
  implemented: { min: 0, max: 4 },
  flexibleFrom: 3,

  decode(reader) {
    const request = {
      transactionalId: reader.string(),
      producerId: reader.int64(),
      producerEpoch: reader.int16(),
      groupId: reader.string(),
    };
    reader.tags();
    return request;
  },

  serve(request, call, answer) {
    call.broker.coordinate('AddOffsetsToTxn', request, ({ error }) =>
      answer(() => respond({ errorCode: errorCode(toldFenced(error, call.version, 2)) })),
    );
    return undefined;
  },

  encode(writer, response) {
    writer.int32(0).int16(response.errorCode).tags();
  },

  refuse: (_request, code) => ({ errorCode: code }),
};
