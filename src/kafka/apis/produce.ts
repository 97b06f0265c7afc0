// Produce (key 0), versions 3-9: appends record batches (wire W-71 to W-73, repl ).
//
// Behaviour: everything is decided by the broker; here only bytes change form. Versions 0-2 are advertised but not
// implemented: old librdkafka compresses only if they are there, and never sends them (wire W-33, W-44). acks=0 is not
// answered; if a partition failed the connection is closed (wire W-14). An error message goes out with record errors only.
// Versions: 5 logStartOffset; 7 zstd is accepted; 8 recordErrors and errorMessage; 9 compact forms. Leader hints begin at
// v10 and are not served (wire W-62). TRANSACTION_ABORTABLE begins at v11: below it is INVALID_TXN_STATE (txn T-121).
//
// Request: transactionalId:str?=null; acks:i16; timeoutMs:i32; topicData[]{name:str; partitionData[]{index:i32;
// records:records?}}
//
// Response: responses[]{name:str; partitionResponses[]{index:i32; errorCode:i16; baseOffset:i64; logAppendTimeMs:i64=-1;
// logStartOffset:i64=-1 @5+; recordErrors[]{batchIndex:i32; batchIndexErrorMessage:str?=null} @8+;
// errorMessage:str?=null @8+; currentLeader{leaderId:i32=-1; leaderEpoch:i32=-1} #tag0 @10+}}; throttleTimeMs:i32;
// nodeEndpoints[]{nodeId:i32; host:str; port:i32; rack:str?=null} #tag0 @10+
import type { RequestOf, ResponseOf } from '../../protocol/apis.ts';
import type { ErrorName } from '../../protocol/errors.ts';
import type { Writer } from '../../base/field-writer.ts';
import { errorCode, respond, type Call, type Outcome, type WireApi } from './api.ts';
import { inTurn } from './in-turn.ts';

export interface ProduceRequest {
  readonly transactionalId: string | null;
  readonly acks: number;
  readonly timeoutMs: number;
  readonly topicData: readonly ProduceTopic[];
}
export interface ProduceTopic {
  readonly name: string;
  readonly partitionData: readonly { readonly index: number; readonly records: Buffer | null }[];
}

export interface ProduceResponse {
  readonly responses: readonly { readonly name: string; readonly partitionResponses: readonly ProducedPartition[] }[];
}
export interface ProducedPartition {
  readonly index: number;
  readonly errorCode: number;
  readonly baseOffset: number;
  readonly logAppendTimeMs: number;
  readonly logStartOffset: number;
  readonly recordErrors: readonly { readonly batchIndex: number; readonly batchIndexErrorMessage: string | null }[];
  readonly errorMessage: string | null;
}

/** First version whose clients may send zstd (wire section 6.3). */
const ZSTD_FROM = 7;
const NO_RECORDS = Buffer.alloc(0);

export const produce: WireApi<ProduceRequest, ProduceResponse> = {
  key: 0,
  name: 'Produce',
  advertised: { min: 0, max: 9 },
  implemented: { min: 3, max: 9 },
  flexibleFrom: 9,

  decode(reader) {
    const request = {
      transactionalId: reader.nullableString(),
      acks: reader.int16(),
      timeoutMs: reader.int32(),
      topicData: reader.structs(() => ({
        name: reader.string(),
        partitionData: reader.structs(() => ({ index: reader.int32(), records: reader.nullableBytes() })),
      })),
    };
    reader.tags();
    return request;
  },

  serve(request, call, answer) {
    const origin = { zstdAllowed: call.version >= ZSTD_FROM };
    return call.broker.produce(toBroker(request, call), origin, (response) =>
      answer(() => (request.acks === 0 ? unanswered(response) : respond(fromBroker(request, response)))),
    );
  },

  encode(writer, response, version) {
    writer.structs(response.responses, (topic) => {
      writer.string(topic.name);
      writer.structs(topic.partitionResponses, (partition) => writePartition(writer, partition, version));
    });
    writer.int32(0).tags();
  },

  refuse(request, code) {
    return {
      responses: request.topicData.map(({ name, partitionData }) => ({
        name,
        partitionResponses: partitionData.map(({ index }) => refusedPartition(index, code)),
      })),
    };
  },
};

function toBroker(request: ProduceRequest, call: Call): RequestOf<'Produce'> {
  return {
    correlationId: call.correlationId,
    acks: request.acks,
    timeoutMs: request.timeoutMs,
    transactionalId: request.transactionalId ?? '',
    transactionVersion: 0,
    clientId: call.clientId,
    partitions: request.topicData.flatMap(({ name, partitionData }) =>
      partitionData.map(({ index, records }) => ({ topic: name, partition: index, records: records ?? NO_RECORDS })),
    ),
  };
}

function fromBroker(request: ProduceRequest, response: ResponseOf<'Produce'>): ProduceResponse {
  const next = inTurn(response.partitions);
  return {
    responses: request.topicData.map(({ name, partitionData }) => ({
      name,
      partitionResponses: partitionData.map(({ index }): ProducedPartition => {
        const produced = next(index);
        const recordErrors = produced.recordErrors.map(({ batchIndex, message }) => ({
          batchIndex,
          batchIndexErrorMessage: message === '' ? null : message,
        }));
        return {
          index,
          errorCode: errorCode(told(produced.error)),
          baseOffset: produced.baseOffset,
          logAppendTimeMs: produced.logAppendTimeMs,
          logStartOffset: produced.logStartOffset,
          recordErrors,
          errorMessage: recordErrors.length > 0 ? produced.errorMessage : null,
        };
      }),
    })),
  };
}

/** Txn T-121: versions below 11 do not know TRANSACTION_ABORTABLE. */
function told(error: ErrorName): ErrorName {
  return error === 'TRANSACTION_ABORTABLE' ? 'INVALID_TXN_STATE' : error;
}

function unanswered(response: ResponseOf<'Produce'>): Outcome<ProduceResponse> {
  const failed = response.partitions.find(({ error }) => error !== 'NONE');
  if (failed === undefined) return { kind: 'silence' };
  return { kind: 'close', reason: `acks=0 produce to ${failed.topic}-${failed.partition} failed: ${failed.error}` };
}

function refusedPartition(index: number, code: number): ProducedPartition {
  return {
    ...{ index, errorCode: code, baseOffset: -1, logAppendTimeMs: -1, logStartOffset: -1 },
    ...{ recordErrors: [], errorMessage: null },
  };
}

function writePartition(writer: Writer, partition: ProducedPartition, version: number): void {
  writer.int32(partition.index).int16(partition.errorCode);
  writer.int64(partition.baseOffset).int64(partition.logAppendTimeMs);
  if (version >= 5) writer.int64(partition.logStartOffset);
  if (version < 8) return;
  writer.structs(partition.recordErrors, ({ batchIndex, batchIndexErrorMessage }) => {
    writer.int32(batchIndex).nullableString(batchIndexErrorMessage);
  });
  writer.nullableString(partition.errorMessage);
}
