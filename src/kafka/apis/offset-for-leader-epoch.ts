// OffsetForLeaderEpoch (key 23), versions 2-4: where a leader epoch ends, by which consumers find out that the log they read
// was cut behind them (wire W-81, repl R-69).
//
// Behaviour: decided by the broker; here only bytes change form. Nobody is taken for a follower here, whatever replicaId
// says: replicas use their own stream.
// Versions: 3 replicaId; 4 compact forms.
//
// Request: replicaId:i32=-2 @3+; topics[]{topic:str; partitions[]{partition:i32; currentLeaderEpoch:i32=-1; leaderEpoch:i32}}
//
// Response: throttleTimeMs:i32; topics[]{topic:str; partitions[]{errorCode:i16; partition:i32; leaderEpoch:i32=-1;
// endOffset:i64=-1}}
import { errorCode, respond, type WireApi } from './api.ts';
import { inTurn } from './in-turn.ts';

export interface OffsetForLeaderEpochRequest {
  readonly topics: readonly { readonly topic: string; readonly partitions: readonly RequestedEpoch[] }[];
}
export interface RequestedEpoch {
  readonly partition: number;
  readonly currentLeaderEpoch: number;
  readonly leaderEpoch: number;
}

export interface OffsetForLeaderEpochResponse {
  readonly topics: readonly { readonly topic: string; readonly partitions: readonly EpochEnd[] }[];
}
export interface EpochEnd {
  readonly errorCode: number;
  readonly partition: number;
  readonly leaderEpoch: number;
  readonly endOffset: number;
}

export const offsetForLeaderEpoch: WireApi<OffsetForLeaderEpochRequest, OffsetForLeaderEpochResponse> = {
  key: 23,
  name: 'OffsetForLeaderEpoch',
  advertised: { min: 2, max: 4 },
  implemented: { min: 2, max: 4 },
  flexibleFrom: 4,

  decode(reader, version) {
    if (version >= 3) reader.int32(); // replicaId
    const topics = reader.structs(() => ({
      topic: reader.string(),
      partitions: reader.structs(() => ({
        partition: reader.int32(),
        currentLeaderEpoch: reader.int32(),
        leaderEpoch: reader.int32(),
      })),
    }));
    reader.tags();
    return { topics };
  },

  serve({ topics }, call, answer) {
    const partitions = topics.flatMap(({ topic, partitions: asked }) => asked.map((each) => ({ topic, ...each })));
    call.broker.offsetsForLeaderEpoch({ partitions }, (response) =>
      answer(() => {
        const next = inTurn(response.partitions);
        const answered = topics.map(({ topic, partitions: asked }) => ({
          topic,
          partitions: asked.map(({ partition }): EpochEnd => {
            const { error, leaderEpoch, endOffset } = next(partition);
            return { errorCode: errorCode(error), partition, leaderEpoch, endOffset };
          }),
        }));
        return respond({ topics: answered });
      }),
    );
    return undefined;
  },

  encode(writer, response) {
    writer.int32(0).structs(response.topics, ({ topic, partitions }) => {
      writer.string(topic).structs(partitions, (partition) => {
        writer.int16(partition.errorCode).int32(partition.partition);
        writer.int32(partition.leaderEpoch).int64(partition.endOffset);
      });
    });
    writer.tags();
  },

  refuse({ topics }, code) {
    const refused = (partition: number): EpochEnd => ({ errorCode: code, partition, leaderEpoch: -1, endOffset: -1 });
    return {
      topics: topics.map(({ topic, partitions }) => ({
        topic,
        partitions: partitions.map(({ partition }) => refused(partition)),
      })),
    };
  },
};
