// ListPartitionReassignments (key 46), version 0: those that are under way, as the controller has them (wire W-77, repl
// What was asked for and is not known, or does not move, is left out.
//
// Request: timeoutMs:i32=60000; topics[]?{name:str; partitionIndexes[] i32}=null
//
// Response: throttleTimeMs:i32; errorCode:i16; errorMessage:str?; topics[]{name:str; partitions[]{partitionIndex:i32;
// replicas[] i32; addingReplicas[] i32; removingReplicas[] i32}}
import type { OngoingReassignment } from '../../../protocol/generated/index.ts';
import { errorCode, respond, type WireApi } from '../api.ts';
import { UNANSWERED } from './refusals.ts';

export interface ListPartitionReassignmentsRequest {
  readonly timeoutMs: number;
  readonly topics: readonly { readonly name: string; readonly partitionIndexes: readonly number[] }[] | null;
}

export interface ListPartitionReassignmentsResponse {
  readonly errorCode: number;
  readonly errorMessage: string | null;
  readonly topics: readonly {
    readonly name: string;
    readonly partitions: readonly {
      readonly partitionIndex: number;
      readonly replicas: readonly number[];
      readonly addingReplicas: readonly number[];
      readonly removingReplicas: readonly number[];
    }[];
  }[];
}

export const listPartitionReassignments: WireApi<
  ListPartitionReassignmentsRequest,
  ListPartitionReassignmentsResponse
> = {
  key: 46,
  name: 'ListPartitionReassignments',
  advertised: { min: 0, max: 0 },
  implemented: { min: 0, max: 0 },
  flexibleFrom: 0,

  decode(reader) {
    const request = {
      timeoutMs: reader.int32(),
      topics: reader.nullableStructs(() => ({
        name: reader.string(),
        partitionIndexes: reader.array(() => reader.int32()),
      })),
    };
    reader.tags();
    return request;
  },

  serve({ timeoutMs, topics }, call, answer) {
    const partitions = (topics ?? []).flatMap(({ name, partitionIndexes }) =>
      partitionIndexes.map((partition) => ({ topic: name, partition })),
    );
    const request = { all: topics === null, partitions };
    call.broker.admin.forward('ListPartitionReassignments', request, timeoutMs, (outcome) =>
      answer(() => {
        if (outcome.kind === 'answered') {
          const moving = byTopic(outcome.response.partitions);
          return respond({ errorCode: errorCode('NONE'), errorMessage: null, topics: moving });
        }
        const { error } = outcome;
        return respond({ errorCode: errorCode(error), errorMessage: UNANSWERED[error], topics: [] });
      }),
    );
    return undefined;
  },

  encode(writer, response) {
    writer.int32(0).int16(response.errorCode).nullableString(response.errorMessage);
    writer.structs(response.topics, ({ name, partitions }) => {
      writer.string(name).structs(partitions, (partition) => {
        writer.int32(partition.partitionIndex);
        const { replicas, addingReplicas, removingReplicas } = partition;
        for (const ids of [replicas, addingReplicas, removingReplicas]) writer.array(ids, (id) => writer.int32(id));
      });
    });
    writer.tags();
  },

  refuse(_request, code) {
    return { errorCode: code, errorMessage: null, topics: [] };
  },
};

function byTopic(moving: readonly OngoingReassignment[]): ListPartitionReassignmentsResponse['topics'] {
  const names = [...new Set(moving.map(({ topic }) => topic))];
  return names.map((name) => ({
    name,
    partitions: moving
      .filter(({ topic }) => topic === name)
      .map(({ partition, ...lists }) => ({ partitionIndex: partition, ...lists })),
  }));
}
