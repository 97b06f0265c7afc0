// CreatePartitions (key 37), versions 0-3: more partitions for topics, decided by the controller, whichever broker is asked
// (wire W-77, W-102).
//
// Versions: 2 compact forms.
//
// Request: topics[]{name:str; count:i32; assignments[]?{brokerIds[] i32}}; timeoutMs:i32; validateOnly:bool
//
// Response: throttleTimeMs:i32; results[]{name:str; errorCode:i16; errorMessage:str?=null}
import { errorCode, respond, type WireApi } from '../api.ts';
import { messageOf, oncePer, UNANSWERED } from './refusals.ts';

export interface CreatePartitionsRequest {
  readonly topics: readonly {
    readonly name: string;
    readonly count: number;
    /** Null: the cluster places them. */
    readonly assignments: readonly { readonly brokerIds: readonly number[] }[] | null;
  }[];
  readonly timeoutMs: number;
  readonly validateOnly: boolean;
}

export interface CreatePartitionsResponse {
  readonly results: readonly {
    readonly name: string;
    readonly errorCode: number;
    readonly errorMessage: string | null;
  }[];
}

export const createPartitions: WireApi<CreatePartitionsRequest, CreatePartitionsResponse> = {
  key: 37,
  name: 'CreatePartitions',
  advertised: { min: 0, max: 3 },
  implemented: { min: 0, max: 3 },
  flexibleFrom: 2,

  decode(reader) {
    const request = {
      topics: reader.structs(() => ({
        name: reader.string(),
        count: reader.int32(),
        assignments: reader.nullableStructs(() => ({ brokerIds: reader.array(() => reader.int32()) })),
      })),
      timeoutMs: reader.int32(),
      validateOnly: reader.bool(),
    };
    reader.tags();
    return request;
  },

  serve({ topics, timeoutMs, validateOnly }, call, answer) {
    const wanted = topics.map(({ name, count, assignments }) => ({
      ...{ name, count, hasAssignments: assignments !== null },
      assignments: (assignments ?? []).map(({ brokerIds }) => ({ ids: [...brokerIds] })),
    }));
    call.broker.admin.forward('CreatePartitions', { topics: wanted, validateOnly }, timeoutMs, (outcome) =>
      answer(() => {
        const results =
          outcome.kind === 'answered'
            ? outcome.response.topics
            : topics.map(({ name }) => ({ name, error: outcome.error, errorMessage: UNANSWERED[outcome.error] }));
        const answers = results.map(({ name, error, errorMessage }) => {
          return { name, errorCode: errorCode(error), errorMessage: messageOf(error, errorMessage) };
        });
        return respond({ results: oncePer(answers, ({ name }) => name) });
      }),
    );
    return undefined;
  },

  encode(writer, response) {
    writer.int32(0).structs(response.results, (result) => {
      writer.string(result.name).int16(result.errorCode).nullableString(result.errorMessage);
    });
    writer.tags();
  },

  refuse({ topics }, code) {
    return { results: topics.map(({ name }) => ({ name, errorCode: code, errorMessage: null })) };
  },
};
