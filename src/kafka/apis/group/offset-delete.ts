// OffsetDelete (key 47), version 0: a tool deletes what a group has committed (wire G-36).
//
// Behaviour: decided by the coordinator. With an error of the whole request no topic is answered.
//
// Request: groupId:str; topics[]{name:str; partitions[]{partitionIndex:i32}}
//
// Response: errorCode:i16; throttleTimeMs:i32; topics[]{name:str; partitions[]{partitionIndex:i32; errorCode:i16}}
import type { ResponseOf } from '../../../protocol/apis.ts';
import { errorCode, respond, type WireApi } from '../api.ts';
import { inTurn } from '../in-turn.ts';

export interface OffsetDeleteRequest {
  readonly groupId: string;
  readonly topics: readonly {
    readonly name: string;
    readonly partitions: readonly { readonly partitionIndex: number }[];
  }[];
}

export interface OffsetDeleteResponse {
  readonly errorCode: number;
  readonly topics: readonly {
    readonly name: string;
    readonly partitions: readonly { readonly partitionIndex: number; readonly errorCode: number }[];
  }[];
}

export const offsetDelete: WireApi<OffsetDeleteRequest, OffsetDeleteResponse> = {
  key: 47,
  name: 'OffsetDelete',
  advertised: { min: 0, max: 0 },
  implemented: { min: 0, max: 0 },
  flexibleFrom: Infinity,

  decode(reader) {
    return {
      groupId: reader.string(),
      topics: reader.structs(() => ({
        name: reader.string(),
        partitions: reader.structs(() => ({ partitionIndex: reader.int32() })),
      })),
    };
  },

  serve(request, call, answer) {
    const { groupId, topics } = request;
    const partitions = topics.flatMap(({ name, partitions: asked }) =>
      asked.map(({ partitionIndex }) => ({ topic: name, partition: partitionIndex })),
    );
    call.broker.coordinate('OffsetDelete', { groupId, partitions }, (response) =>
      answer(() => respond(fromBroker(request, response))),
    );
    return undefined;
  },

  encode(writer, response) {
    writer.int16(response.errorCode).int32(0);
    writer.structs(response.topics, ({ name, partitions }) => {
      writer.string(name).structs(partitions, (partition) => {
        writer.int32(partition.partitionIndex).int16(partition.errorCode);
      });
    });
  },

  refuse(_request, code) {
    return { errorCode: code, topics: [] };
  },
};

function fromBroker({ topics }: OffsetDeleteRequest, response: ResponseOf<'OffsetDelete'>): OffsetDeleteResponse {
  if (response.error !== 'NONE') return { errorCode: errorCode(response.error), topics: [] };
  const next = inTurn(response.partitions);
  return {
    errorCode: errorCode('NONE'),
    topics: topics.map(({ name, partitions }) => ({
      name,
      partitions: partitions.map(({ partitionIndex }) => ({
        partitionIndex,
        errorCode: errorCode(next(partitionIndex).error),
      })),
    })),
  };
}
