// DescribeTransactions (key 65), version 0: what the coordinator knows of transactional ids (txn T-177, wire W-87).
//
// Behaviour: decided by the transaction coordinator; here only bytes change form.
//
// Request: transactionalIds[] str
//
// Response: throttleTimeMs:i32; transactionStates[]{errorCode:i16; transactionalId:str; transactionState:str;
// transactionTimeoutMs:i32; transactionStartTimeMs:i64; producerId:i64; producerEpoch:i16; topics[]{topic:str;
// partitions[] i32}}
import { errorCode, respond, type WireApi } from './api.ts';

export interface DescribeTransactionsRequest {
  readonly transactionalIds: readonly string[];
}

export interface DescribeTransactionsResponse {
  readonly transactionStates: readonly DescribedTransaction[];
}
export interface DescribedTransaction {
  readonly errorCode: number;
  readonly transactionalId: string;
  readonly transactionState: string;
  readonly transactionTimeoutMs: number;
  readonly transactionStartTimeMs: number;
  readonly producerId: number;
  readonly producerEpoch: number;
  readonly topics: readonly { readonly topic: string; readonly partitions: readonly number[] }[];
}

export const describeTransactions: WireApi<DescribeTransactionsRequest, DescribeTransactionsResponse> = {
  key: 65,
  name: 'DescribeTransactions',
  advertised: { min: 0, max: 0 },
  implemented: { min: 0, max: 0 },
  flexibleFrom: 0,

  decode(reader) {
    const transactionalIds = reader.array(() => reader.string());
    reader.tags();
    return { transactionalIds };
  },

  serve({ transactionalIds }, call, answer) {
    call.broker.coordinate('DescribeTransactions', { transactionalIds: [...transactionalIds] }, (response) =>
      answer(() => {
        const transactionStates = response.transactions.map((described): DescribedTransaction => {
          const code = errorCode(described.error);
          if (described.error !== 'NONE') return refused(described.transactionalId, code);
          return {
            errorCode: code,
            transactionalId: described.transactionalId,
            transactionState: described.state,
            transactionTimeoutMs: described.transactionTimeoutMs,
            transactionStartTimeMs: described.startTimeMs,
            producerId: described.producerId,
            producerEpoch: described.producerEpoch,
            topics: described.topics,
          };
        });
        return respond({ transactionStates });
      }),
    );
    return undefined;
  },

  encode(writer, response) {
    writer.int32(0).structs(response.transactionStates, (described) => {
      writer.int16(described.errorCode).string(described.transactionalId).string(described.transactionState);
      writer.int32(described.transactionTimeoutMs).int64(described.transactionStartTimeMs);
      writer.int64(described.producerId).int16(described.producerEpoch);
      writer.structs(described.topics, ({ topic, partitions }) => {
        writer.string(topic).array(partitions, (partition) => writer.int32(partition));
      });
    });
    writer.tags();
  },

  refuse({ transactionalIds }, code) {
    return { transactionStates: transactionalIds.map((transactionalId) => refused(transactionalId, code)) };
  },
};

/** Nothing is known of it: zeros, as in Kafka. */
function refused(transactionalId: string, code: number): DescribedTransaction {
  return {
    ...{ errorCode: code, transactionalId, transactionState: '', transactionTimeoutMs: 0, transactionStartTimeMs: 0 },
    ...{ producerId: 0, producerEpoch: 0, topics: [] },
  };
}
