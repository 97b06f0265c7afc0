// WriteTxnMarkers (key 27), version 1: an administrator ends a transaction that hangs in a partition (txn T-179, wire W-86).
//
// Behaviour: decided by the broker; here only bytes change form. Coordinators do not come this way. A marker of v1 carries
// no transaction version, so the epoch that is there already passes (txn T-118).
//
// Request: markers[]{producerId:i64; producerEpoch:i16; transactionResult:bool; topics[]{name:str; partitionIndexes[] i32};
// coordinatorEpoch:i32}
//
// Response: markers[]{producerId:i64; topics[]{name:str; partitions[]{partitionIndex:i32; errorCode:i16}}}
import { errorCode, respond, type WireApi } from './api.ts';
import { inTurn } from './in-turn.ts';

export interface WriteTxnMarkersRequest {
  readonly markers: readonly RequestedMarker[];
}
export interface RequestedMarker {
  readonly producerId: number;
  readonly producerEpoch: number;
  readonly transactionResult: boolean;
  readonly topics: readonly { readonly name: string; readonly partitionIndexes: readonly number[] }[];
  readonly coordinatorEpoch: number;
}

export interface WriteTxnMarkersResponse {
  readonly markers: readonly WrittenMarker[];
}
export interface WrittenMarker {
  readonly producerId: number;
  readonly topics: readonly { readonly name: string; readonly partitions: readonly MarkedPartition[] }[];
}
export interface MarkedPartition {
  readonly partitionIndex: number;
  readonly errorCode: number;
}

export const writeTxnMarkers: WireApi<WriteTxnMarkersRequest, WriteTxnMarkersResponse> = {
  key: 27,
  name: 'WriteTxnMarkers',
  advertised: { min: 1, max: 1 },
  implemented: { min: 1, max: 1 },
  flexibleFrom: 1,

  decode(reader) {
    const markers = reader.structs(() => ({
      producerId: reader.int64(),
      producerEpoch: reader.int16(),
      transactionResult: reader.bool(),
      topics: reader.structs(() => ({
        name: reader.string(),
        partitionIndexes: reader.array(() => reader.int32()),
      })),
      coordinatorEpoch: reader.int32(),
    }));
    reader.tags();
    return { markers };
  },

  serve({ markers }, call, answer) {
    const asked = markers.map(({ producerId, producerEpoch, transactionResult, topics, coordinatorEpoch }) => ({
      ...{ producerId, producerEpoch, committed: transactionResult, coordinatorEpoch, transactionVersion: 0 },
      topics: topics.map(({ name, partitionIndexes }) => ({ topic: name, partitions: [...partitionIndexes] })),
    }));
    call.broker.abortTransaction({ markers: asked }, (response) =>
      answer(() => {
        const written = markers.map((marker, at): WrittenMarker => {
          const next = inTurn(response.markers[at]?.partitions ?? []);
          return toEach(marker, (partition) => errorCode(next(partition).error));
        });
        return respond({ markers: written });
      }),
    );
    return undefined;
  },

  encode(writer, response) {
    writer.structs(response.markers, ({ producerId, topics }) => {
      writer.int64(producerId).structs(topics, ({ name, partitions }) => {
        writer.string(name).structs(partitions, (partition) => {
          writer.int32(partition.partitionIndex).int16(partition.errorCode);
        });
      });
    });
    writer.tags();
  },

  refuse: ({ markers }, code) => ({ markers: markers.map((marker) => toEach(marker, () => code)) }),
};

function toEach({ producerId, topics }: RequestedMarker, codeOf: (partition: number) => number): WrittenMarker {
  return {
    producerId,
    topics: topics.map(({ name, partitionIndexes }) => ({
      name,
      partitions: partitionIndexes.map((partitionIndex) => ({ partitionIndex, errorCode: codeOf(partitionIndex) })),
    })),
  };
}
