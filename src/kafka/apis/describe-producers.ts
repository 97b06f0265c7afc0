// DescribeProducers (key 61), version 0: what a replica of a partition knows of those that write to it (txn T-178, wire W-87).
//
// Behaviour: decided by the broker; here only bytes change form. Any broker with a replica answers from its own log.
//
// Request: topics[]{name:str; partitionIndexes[] i32}
//
// Response: throttleTimeMs:i32; topics[]{name:str; partitions[]{partitionIndex:i32; errorCode:i16; errorMessage:str?=null;
// activeProducers[]{producerId:i64; producerEpoch:i32; lastSequence:i32=-1; lastTimestamp:i64=-1; coordinatorEpoch:i32;
// currentTxnStartOffset:i64=-1}}}
import type { PartitionProducers } from '../../protocol/generated/index.ts';
import { errorCode, respond, type WireApi } from './api.ts';
import { inTurn } from './in-turn.ts';

export interface DescribeProducersRequest {
  readonly topics: readonly { readonly name: string; readonly partitionIndexes: readonly number[] }[];
}

export interface DescribeProducersResponse {
  readonly topics: readonly { readonly name: string; readonly partitions: readonly DescribedPartition[] }[];
}
export interface DescribedPartition {
  readonly partitionIndex: number;
  readonly errorCode: number;
  readonly errorMessage: string | null;
  readonly activeProducers: readonly DescribedProducer[];
}
export interface DescribedProducer {
  readonly producerId: number;
  readonly producerEpoch: number;
  readonly lastSequence: number;
  readonly lastTimestamp: number;
  readonly coordinatorEpoch: number;
  readonly currentTxnStartOffset: number;
}

export const describeProducers: WireApi<DescribeProducersRequest, DescribeProducersResponse> = {
  key: 61,
  name: 'DescribeProducers',
  advertised: { min: 0, max: 0 },
  implemented: { min: 0, max: 0 },
  flexibleFrom: 0,

  decode(reader) {
    const topics = reader.structs(() => ({
      name: reader.string(),
      partitionIndexes: reader.array(() => reader.int32()),
    }));
    reader.tags();
    return { topics };
  },

  serve(request, call, answer) {
    const topics = request.topics.map(({ name, partitionIndexes }) => ({
      topic: name,
      partitions: [...partitionIndexes],
    }));
    call.broker.describeProducers({ topics }, (response) =>
      answer(() => {
        const next = inTurn(response.partitions);
        return respond(toEach(request, (partition) => described(next(partition))));
      }),
    );
    return undefined;
  },

  encode(writer, response) {
    writer.int32(0).structs(response.topics, ({ name, partitions }) => {
      writer.string(name).structs(partitions, (partition) => {
        writer.int32(partition.partitionIndex).int16(partition.errorCode).nullableString(partition.errorMessage);
        writer.structs(partition.activeProducers, (producer) => {
          writer.int64(producer.producerId).int32(producer.producerEpoch).int32(producer.lastSequence);
          writer.int64(producer.lastTimestamp).int32(producer.coordinatorEpoch);
          writer.int64(producer.currentTxnStartOffset);
        });
      });
    });
    writer.tags();
  },

  refuse: (request, code) =>
    toEach(request, (partitionIndex) => ({ partitionIndex, errorCode: code, errorMessage: null, activeProducers: [] })),
};

function toEach(
  { topics }: DescribeProducersRequest,
  describe: (partition: number) => DescribedPartition,
): DescribeProducersResponse {
  return {
    topics: topics.map(({ name, partitionIndexes }) => ({ name, partitions: partitionIndexes.map(describe) })),
  };
}

function described({ partition, error, producers }: PartitionProducers): DescribedPartition {
  return {
    ...{ partitionIndex: partition, errorCode: errorCode(error), errorMessage: null },
    activeProducers: producers.map(({ lastTimestampMs, ...producer }) => ({
      ...producer,
      lastTimestamp: lastTimestampMs,
    })),
  };
}
