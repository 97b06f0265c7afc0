// ElectLeaders (key 43), versions 0-2: preferred and unclean elections, decided by the controller, whichever broker is asked
// (wire W-77, repl ).
//
// Behaviour: no partitions means all; then those that need no election are left out.
// Versions: 1 kinds of elections (before: preferred), errorCode; 2 compact forms.
//
// Request: electionType:i8 @1+; topicPartitions[]?{topic:str; partitions[] i32}; timeoutMs:i32=60000
//
// Response: throttleTimeMs:i32; errorCode:i16 @1+; replicaElectionResults[]{topic:str; partitionResult[]{partitionId:i32;
// errorCode:i16; errorMessage:str?}}
import type { RequestOf } from '../../../protocol/apis.ts';
import type { ErrorName } from '../../../protocol/errors.ts';
import { errorCode, respond, type Answer, type Call, type WireApi } from '../api.ts';
import { messageOf, UNANSWERED } from './refusals.ts';

export interface ElectLeadersRequest {
  readonly electionType: number;
  /** Null: all. */
  readonly topicPartitions: readonly { readonly topic: string; readonly partitions: readonly number[] }[] | null;
  readonly timeoutMs: number;
}

export interface ElectLeadersResponse {
  readonly errorCode: number;
  readonly replicaElectionResults: readonly { readonly topic: string; readonly partitionResult: readonly Elected[] }[];
}
export interface Elected {
  readonly partitionId: number;
  readonly errorCode: number;
  readonly errorMessage: string | null;
}

const TYPES = ['PREFERRED', 'UNCLEAN'];

export const electLeaders: WireApi<ElectLeadersRequest, ElectLeadersResponse> = {
  key: 43,
  name: 'ElectLeaders',
  advertised: { min: 0, max: 2 },
  implemented: { min: 0, max: 2 },
  flexibleFrom: 2,

  decode(reader, version) {
    const request = {
      electionType: version >= 1 ? reader.int8() : 0,
      topicPartitions: reader.nullableStructs(() => ({
        topic: reader.string(),
        partitions: reader.array(() => reader.int32()),
      })),
      timeoutMs: reader.int32(),
    };
    reader.tags();
    return request;
  },

  serve(request, call, answer) {
    const type = TYPES[request.electionType];
    if (type === undefined) {
      answer(() => respond(electLeaders.refuse(request, errorCode('INVALID_REQUEST'), call)));
      return undefined;
    }
    const { topicPartitions, timeoutMs } = request;
    if (topicPartitions !== null) {
      const asked = topicPartitions.flatMap(({ topic, partitions }) =>
        partitions.map((partition) => ({ type, topic, partition, to: -1 })),
      );
      electAll(call, { asked, timeoutMs, omitUnneeded: false }, answer);
      return undefined;
    }
    call.broker.metadata({ allTopics: true, topics: [], allowAutoTopicCreation: false }, ({ topics }) => {
      const asked = topics.map(({ name }) => ({ type, topic: name, partition: -1, to: -1 }));
      electAll(call, { asked, timeoutMs, omitUnneeded: true }, answer);
    });
    return undefined;
  },

  encode(writer, response, version) {
    writer.int32(0);
    if (version >= 1) writer.int16(response.errorCode);
    writer.structs(response.replicaElectionResults, ({ topic, partitionResult }) => {
      writer.string(topic).structs(partitionResult, (result) => {
        writer.int32(result.partitionId).int16(result.errorCode).nullableString(result.errorMessage);
      });
    });
    writer.tags();
  },

  refuse({ topicPartitions }, code) {
    return {
      errorCode: code,
      replicaElectionResults: (topicPartitions ?? []).map(({ topic, partitions }) => ({
        topic,
        partitionResult: partitions.map((partitionId) => ({ partitionId, errorCode: code, errorMessage: null })),
      })),
    };
  },
};

interface Elections {
  readonly asked: readonly RequestOf<'ElectLeaders'>[];
  readonly timeoutMs: number;
  readonly omitUnneeded: boolean;
}

interface Result {
  readonly topic: string;
  readonly partition: number;
  readonly error: ErrorName;
  readonly errorMessage: string;
}

/** One call to the controller each, as its API has it; answered when all are. */
function electAll(
  call: Call,
  { asked, timeoutMs, omitUnneeded }: Elections,
  answer: Answer<ElectLeadersResponse>,
): void {
  const results: (readonly Result[])[] = [];
  let open = asked.length;
  let unanswered: ErrorName = 'NONE';
  const finish = (): void =>
    answer(() => {
      const all = results.flat().filter(({ error }) => !omitUnneeded || error !== 'ELECTION_NOT_NEEDED');
      const topics = [...new Set(all.map(({ topic }) => topic))];
      const replicaElectionResults = topics.map((topic) => ({
        topic,
        partitionResult: all.filter((result) => result.topic === topic).map(toWire),
      }));
      return respond({ errorCode: errorCode(unanswered), replicaElectionResults });
    });
  if (open === 0) return finish();
  for (const [at, election] of asked.entries()) {
    call.broker.admin.forward('ElectLeaders', election, timeoutMs, (outcome) => {
      const { topic, partition } = election;
      if (outcome.kind === 'answered') results[at] = outcome.response.results;
      else {
        const { error } = outcome;
        unanswered = error;
        // Of all partitions of a topic nobody knows which: the error of the whole stands alone.
        results[at] = partition < 0 ? [] : [{ topic, partition, error, errorMessage: UNANSWERED[error] }];
      }
      open -= 1;
      if (open === 0) finish();
    });
  }
}

function toWire({ partition, error, errorMessage }: Result): Elected {
  return { partitionId: partition, errorCode: errorCode(error), errorMessage: messageOf(error, errorMessage) };
}
