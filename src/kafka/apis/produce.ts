// Produce (key 0), versions 3-12: appends record batches (wire W-71 to W-74, repl ).
//
// Behaviour: everything is decided by the broker; here only bytes change form. Versions 0-2 are advertised but not
// implemented: old librdkafka compresses only if they are there, and never sends them (wire W-33, W-44). acks=0 is not
// answered; if a partition failed the connection is closed (wire W-14). An error message goes out with record errors, and
// where another code stands for the one there was.
// Versions: 5 logStartOffset; 7 zstd is accepted; 8 recordErrors and errorMessage; 9 compact forms; 10 leader hints, if
// they are on (wire W-62); 11 TRANSACTION_ABORTABLE (below: INVALID_TXN_STATE, txn T-121); 12 the leader adds the partition
// to the transaction itself, below it verifies (txn T-59, T-190).
//
// Request: transactionalId:str?=null; acks:i16; timeoutMs:i32; topicData[]{name:str; partitionData[]{index:i32;
// records:records?}}
//
// Response: responses[]{name:str; partitionResponses[]{index:i32; errorCode:i16; baseOffset:i64; logAppendTimeMs:i64=-1;
// logStartOffset:i64=-1 @5+; recordErrors[]{batchIndex:i32; batchIndexErrorMessage:str?=null} @8+;
// errorMessage:str?=null @8+; currentLeader{leaderId:i32=-1; leaderEpoch:i32=-1} #tag0 @10+}}; throttleTimeMs:i32;
// nodeEndpoints[]{nodeId:i32; host:str; port:i32; rack:str?=null} #tag0 @10+
import type { Tag, Writer } from '../../base/field-writer.ts';
import type { RequestOf, ResponseOf } from '../../protocol/apis.ts';
import type { ProducedPartition as Produced } from '../../protocol/generated/index.ts';
import { errorCode, respond, type Call, type Outcome, type WireApi } from './api.ts';
import { inTurn } from './in-turn.ts';
import { currentLeaderTag, leaderHints, nodeEndpointsTag } from './leader-hints.ts';
import type { CurrentLeader, LeaderHints, NodeEndpoint } from './leader-hints.ts';
import { toldAbortable } from './txn-errors.ts';

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
  readonly nodeEndpoints: readonly NodeEndpoint[];
}
export interface ProducedPartition {
  readonly index: number;
  readonly errorCode: number;
  readonly baseOffset: number;
  readonly logAppendTimeMs: number;
  readonly logStartOffset: number;
  readonly recordErrors: readonly { readonly batchIndex: number; readonly batchIndexErrorMessage: string | null }[];
  readonly errorMessage: string | null;
  readonly currentLeader: CurrentLeader | null;
  /** Of a success: in which it was given. No field of the wire, for recorders. */
  readonly leaderEpoch?: number;
}

/** First version whose clients may send zstd (wire section 6.3). */
const ZSTD_FROM = 7;
/** First version with leader hints. */
const HINTS_FROM = 10;
/** First version whose clients know TRANSACTION_ABORTABLE. */
const ABORTABLE_FROM = 11;
/** First version whose transactional writes add their partition to the transaction. */
const ADDING_FROM = 12;
const NO_RECORDS = Buffer.alloc(0);

export const produce: WireApi<ProduceRequest, ProduceResponse> = {
  key: 0,
  name: 'Produce',
  advertised: { min: 0, max: 9 },
  advertisedTv2: { min: 0, max: 12 },
  implemented: { min: 3, max: 12 },
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
    return call.broker.produce(toBroker(request, call), origin, (response) => {
      if (request.acks === 0) return answer(() => unanswered(response));
      leaderHints(call, misdirected(response, call.version), (hints) =>
        answer(() => respond(fromBroker(request, response, { hints, version: call.version }))),
      );
    });
  },

  encode(writer, response, version) {
    writer.structs(response.responses, (topic) => {
      writer.string(topic.name);
      writer.structs(topic.partitionResponses, (partition) => writePartition(writer, partition, version));
    });
    writer.int32(0).tags(version >= HINTS_FROM ? nodeEndpointsTag(response.nodeEndpoints) : []);
  },

  refuse(request, code) {
    return {
      nodeEndpoints: [],
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
    transactionVersion: call.version >= ADDING_FROM ? 2 : 0,
    clientId: call.clientId,
    partitions: request.topicData.flatMap(({ name, partitionData }) =>
      partitionData.map(({ index, records }) => ({ topic: name, partition: index, records: records ?? NO_RECORDS })),
    ),
  };
}

/** Topics of partitions that another broker leads, for versions that are told so. */
function misdirected({ partitions }: ResponseOf<'Produce'>, version: number): readonly string[] {
  if (version < HINTS_FROM) return [];
  return partitions.filter(({ error }) => error === 'NOT_LEADER_OR_FOLLOWER').map(({ topic }) => topic);
}

interface Telling {
  readonly hints: LeaderHints;
  readonly version: number;
}

function fromBroker(request: ProduceRequest, response: ResponseOf<'Produce'>, telling: Telling): ProduceResponse {
  const next = inTurn(response.partitions);
  const responses = request.topicData.map(({ name, partitionData }) => ({
    name,
    partitionResponses: partitionData.map(({ index }) => producedPartition(next(index), telling)),
  }));
  return { responses, nodeEndpoints: telling.hints.endpoints() };
}

function producedPartition(produced: Produced, { hints, version }: Telling): ProducedPartition {
  const { topic, partition: index, error, baseOffset, logAppendTimeMs, logStartOffset } = produced;
  const recordErrors = produced.recordErrors.map(({ batchIndex, message }) => ({
    batchIndex,
    batchIndexErrorMessage: message === '' ? null : message,
  }));
  const told = toldAbortable(error, version, ABORTABLE_FROM);
  const speaks = recordErrors.length > 0 || told !== error || produced.underlyingError !== 'NONE';
  return {
    ...{ index, baseOffset, logAppendTimeMs, logStartOffset, recordErrors },
    errorCode: errorCode(told),
    errorMessage: speaks ? produced.errorMessage : null,
    currentLeader: error === 'NOT_LEADER_OR_FOLLOWER' ? hints.leaderOf(topic, index) : null,
    ...(produced.leaderEpoch < 0 ? {} : { leaderEpoch: produced.leaderEpoch }),
  };
}

function unanswered(response: ResponseOf<'Produce'>): Outcome<ProduceResponse> {
  const failed = response.partitions.find(({ error }) => error !== 'NONE');
  if (failed === undefined) return { kind: 'silence' };
  return { kind: 'close', reason: `acks=0 produce to ${failed.topic}-${failed.partition} failed: ${failed.error}` };
}

function refusedPartition(index: number, code: number): ProducedPartition {
  return {
    ...{ index, errorCode: code, baseOffset: -1, logAppendTimeMs: -1, logStartOffset: -1 },
    ...{ recordErrors: [], errorMessage: null, currentLeader: null },
  };
}

function writePartition(writer: Writer, partition: ProducedPartition, version: number): readonly Tag[] {
  writer.int32(partition.index).int16(partition.errorCode);
  writer.int64(partition.baseOffset).int64(partition.logAppendTimeMs);
  if (version >= 5) writer.int64(partition.logStartOffset);
  if (version < 8) return [];
  writer.structs(partition.recordErrors, ({ batchIndex, batchIndexErrorMessage }) => {
    writer.int32(batchIndex).nullableString(batchIndexErrorMessage);
  });
  writer.nullableString(partition.errorMessage);
  return version >= HINTS_FROM ? currentLeaderTag(0, partition.currentLeader) : [];
}
