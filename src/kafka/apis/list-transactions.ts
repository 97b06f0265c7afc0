// ListTransactions (key 66), versions 0-1: the transactional ids that this broker coordinates (txn T-176, wire W-87).
//
// Behaviour: decided by the transaction coordinator; here only bytes change form.
// Versions: 1 durationFilter.
//
// Request: stateFilters[] str; producerIdFilters[] i64; durationFilter:i64=-1 @1+
//
// Response: throttleTimeMs:i32; errorCode:i16; unknownStateFilters[] str; transactionStates[]{transactionalId:str;
// producerId:i64; transactionState:str}
import { errorCode, respond, type WireApi } from './api.ts';

export interface ListTransactionsRequest {
  readonly stateFilters: readonly string[];
  readonly producerIdFilters: readonly number[];
  readonly durationFilter: number;
}

export interface ListTransactionsResponse {
  readonly errorCode: number;
  readonly unknownStateFilters: readonly string[];
  readonly transactionStates: readonly ListedTransaction[];
}
export interface ListedTransaction {
  readonly transactionalId: string;
  readonly producerId: number;
  readonly transactionState: string;
}

export const listTransactions: WireApi<ListTransactionsRequest, ListTransactionsResponse> = {
  key: 66,
  name: 'ListTransactions',
  advertised: { min: 0, max: 1 },
  implemented: { min: 0, max: 1 },
  flexibleFrom: 0,

  decode(reader, version) {
    const request = {
      stateFilters: reader.array(() => reader.string()),
      producerIdFilters: reader.array(() => reader.int64()),
      durationFilter: version >= 1 ? reader.int64() : -1,
    };
    reader.tags();
    return request;
  },

  serve({ stateFilters, producerIdFilters, durationFilter }, call, answer) {
    const filters = { states: [...stateFilters], producerIds: [...producerIdFilters], minDurationMs: durationFilter };
    call.broker.coordinate('ListTransactions', { ...filters, idPattern: '' }, (response) =>
      answer(() => {
        const transactionStates = response.transactions.map(({ transactionalId, producerId, state }) => {
          return { transactionalId, producerId, transactionState: state };
        });
        const unknownStateFilters = response.unknownStates;
        return respond({ errorCode: errorCode(response.error), unknownStateFilters, transactionStates });
      }),
    );
    return undefined;
  },

  encode(writer, response) {
    writer.int32(0).int16(response.errorCode);
    writer.array(response.unknownStateFilters, (name) => writer.string(name));
    writer.structs(response.transactionStates, ({ transactionalId, producerId, transactionState }) => {
      writer.string(transactionalId).int64(producerId).string(transactionState);
    });
    writer.tags();
  },

  refuse: (_request, code) => ({ errorCode: code, unknownStateFilters: [], transactionStates: [] }),
};
