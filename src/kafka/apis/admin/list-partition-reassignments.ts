// ListPartitionReassignments (key 46), version 0: none, ever. The replicas of a partition are those that it was created with
// (docs/divergence.md); kafka-topics.sh asks (wire W-42).
//
// Request: timeoutMs:i32=60000; topics[]?{name:str; partitionIndexes[] i32}=null
//
// Response: throttleTimeMs:i32; errorCode:i16; errorMessage:str?; topics[]{name:str; partitions[]{partitionIndex:i32;
// replicas[] i32; addingReplicas[] i32; removingReplicas[] i32}}
import { errorCode, respond, type WireApi } from '../api.ts';

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

  serve(_request, _call, answer) {
    answer(() => respond({ errorCode: errorCode('NONE'), errorMessage: null, topics: [] }));
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
