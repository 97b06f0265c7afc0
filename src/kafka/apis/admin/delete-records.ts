// DeleteRecords (key 21), versions 0-2: what lies before an offset goes (wire W-101, repl R-118).
//
// Behaviour: decided by the leader; lowWatermark is -1 in every error.
// Versions: 1 nothing; 2 compact forms.
//
// Request: topics[]{name:str; partitions[]{partitionIndex:i32; offset:i64}}; timeoutMs:i32
//
// Response: throttleTimeMs:i32; topics[]{name:str; partitions[]{partitionIndex:i32; lowWatermark:i64; errorCode:i16}}
import { errorCode, respond, type WireApi } from '../api.ts';
import { inTurn } from '../in-turn.ts';

export interface DeleteRecordsRequest {
  readonly topics: readonly {
    readonly name: string;
    readonly partitions: readonly { readonly partitionIndex: number; readonly offset: number }[];
  }[];
  readonly timeoutMs: number;
}

export interface DeleteRecordsResponse {
  readonly topics: readonly {
    readonly name: string;
    readonly partitions: readonly {
      readonly partitionIndex: number;
      readonly lowWatermark: number;
      readonly errorCode: number;
    }[];
  }[];
}

export const deleteRecords: WireApi<DeleteRecordsRequest, DeleteRecordsResponse> = {
  key: 21,
  name: 'DeleteRecords',
  advertised: { min: 0, max: 2 },
  implemented: { min: 0, max: 2 },
  flexibleFrom: 2,

  decode(reader) {
    const request = {
      topics: reader.structs(() => ({
        name: reader.string(),
        partitions: reader.structs(() => ({ partitionIndex: reader.int32(), offset: reader.int64() })),
      })),
      timeoutMs: reader.int32(),
    };
    reader.tags();
    return request;
  },

  serve({ topics, timeoutMs }, call, answer) {
    const partitions = topics.flatMap(({ name, partitions: asked }) =>
      asked.map(({ partitionIndex, offset }) => ({ topic: name, partition: partitionIndex, offset })),
    );
    return call.broker.admin.deleteRecords({ partitions, timeoutMs }, (response) =>
      answer(() => {
        const next = inTurn(response.partitions);
        return respond({
          topics: topics.map(({ name, partitions: asked }) => ({
            name,
            partitions: asked.map(({ partitionIndex }) => {
              const { lowWatermark, error } = next(partitionIndex);
              return { partitionIndex, lowWatermark, errorCode: errorCode(error) };
            }),
          })),
        });
      }),
    );
  },

  encode(writer, response) {
    writer.int32(0).structs(response.topics, ({ name, partitions }) => {
      writer.string(name).structs(partitions, (partition) => {
        writer.int32(partition.partitionIndex).int64(partition.lowWatermark).int16(partition.errorCode);
      });
    });
    writer.tags();
  },

  refuse({ topics }, code) {
    return {
      topics: topics.map(({ name, partitions }) => ({
        name,
        partitions: partitions.map(({ partitionIndex }) => ({ partitionIndex, lowWatermark: -1, errorCode: code })),
      })),
    };
  },
};
