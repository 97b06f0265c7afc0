// AlterPartitionReassignments (key 45), version 0: partitions that shall move to other brokers, or stay after all, decided by
// the controller, whichever broker is asked (wire W-77, repl R-107).
//
// Request: timeoutMs:i32=60000; topics[]{name:str; partitions[]{partitionIndex:i32; replicas[]? i32=null}}
//
// Response: throttleTimeMs:i32; errorCode:i16; errorMessage:str?; responses[]{name:str; partitions[]{partitionIndex:i32;
// errorCode:i16; errorMessage:str?}}
import { errorCode, respond, type WireApi } from '../api.ts';
import { messageOf, UNANSWERED } from './refusals.ts';

export interface AlterPartitionReassignmentsRequest {
  readonly timeoutMs: number;
  readonly topics: readonly {
    readonly name: string;
    /** Replicas null: cancel. */
    readonly partitions: readonly { readonly partitionIndex: number; readonly replicas: readonly number[] | null }[];
  }[];
}

export interface AlterPartitionReassignmentsResponse {
  readonly errorCode: number;
  readonly errorMessage: string | null;
  readonly responses: readonly {
    readonly name: string;
    readonly partitions: readonly {
      readonly partitionIndex: number;
      readonly errorCode: number;
      readonly errorMessage: string | null;
    }[];
  }[];
}

export const alterPartitionReassignments: WireApi<
  AlterPartitionReassignmentsRequest,
  AlterPartitionReassignmentsResponse
> = {
  key: 45,
  name: 'AlterPartitionReassignments',
  advertised: { min: 0, max: 0 },
  implemented: { min: 0, max: 0 },
  flexibleFrom: 0,

  decode(reader) {
    const request = {
      timeoutMs: reader.int32(),
      topics: reader.structs(() => ({
        name: reader.string(),
        partitions: reader.structs(() => ({
          partitionIndex: reader.int32(),
          replicas: reader.nullableArray(() => reader.int32()),
        })),
      })),
    };
    reader.tags();
    return request;
  },

  serve({ timeoutMs, topics }, call, answer) {
    const partitions = topics.flatMap(({ name, partitions: asked }) =>
      asked.map(({ partitionIndex, replicas }) => {
        return { topic: name, partition: partitionIndex, replicas: replicas === null ? null : { ids: [...replicas] } };
      }),
    );
    // Whether the number of replicas may change is asked from version 1 on only; before, it may.
    const request = { partitions, allowReplicationFactorChange: true };
    call.broker.admin.forward('AlterPartitionReassignments', request, timeoutMs, (outcome) =>
      answer(() => {
        if (outcome.kind === 'unanswered') {
          const { error } = outcome;
          return respond({ errorCode: errorCode(error), errorMessage: UNANSWERED[error], responses: [] });
        }
        // They come in the order asked.
        const results = [...outcome.response.partitions].reverse();
        const responses = topics.map(({ name, partitions: asked }) => ({
          name,
          partitions: asked.map(({ partitionIndex }) => {
            const { error, errorMessage } = results.pop()!;
            return { partitionIndex, errorCode: errorCode(error), errorMessage: messageOf(error, errorMessage) };
          }),
        }));
        return respond({ errorCode: errorCode('NONE'), errorMessage: null, responses });
      }),
    );
    return undefined;
  },

  encode(writer, response) {
    writer.int32(0).int16(response.errorCode).nullableString(response.errorMessage);
    writer.structs(response.responses, ({ name, partitions }) => {
      writer.string(name).structs(partitions, (partition) => {
        writer.int32(partition.partitionIndex).int16(partition.errorCode).nullableString(partition.errorMessage);
      });
    });
    writer.tags();
  },

  refuse(_request, code) {
    return { errorCode: code, errorMessage: null, responses: [] };
  },
};
