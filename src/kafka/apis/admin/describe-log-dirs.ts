// DescribeLogDirs (key 35), versions 1-4: what the replicas of this broker take on disk.
//
// Behaviour: a broker has one log directory, named "data"; no topics means all. Sizes are those of the records: what the
// database beside them takes is not known.
// Versions: 2 compact forms; 3 errorCode; 4 total and usable bytes, which are not known.
//
// Request: topics[]?{topic:str; partitions[] i32}
//
// Response: throttleTimeMs:i32; errorCode:i16 @3+; results[]{errorCode:i16; logDir:str; topics[]{name:str;
// partitions[]{partitionIndex:i32; partitionSize:i64; offsetLag:i64; isFutureKey:bool}}; totalBytes:i64=-1 @4+;
// usableBytes:i64=-1 @4+}
import type { ReplicaSize } from '../../../node/admin-api.ts';
import { errorCode, respond, type WireApi } from '../api.ts';

export interface DescribeLogDirsRequest {
  /** Null: all. */
  readonly topics: readonly { readonly topic: string; readonly partitions: readonly number[] }[] | null;
}

export interface DescribeLogDirsResponse {
  readonly errorCode: number;
  readonly results: readonly LogDir[];
}
export interface LogDir {
  readonly errorCode: number;
  readonly logDir: string;
  readonly topics: readonly { readonly name: string; readonly partitions: readonly LogSize[] }[];
  readonly totalBytes: number;
  readonly usableBytes: number;
}
export interface LogSize {
  readonly partitionIndex: number;
  readonly partitionSize: number;
  readonly offsetLag: number;
  readonly isFutureKey: boolean;
}

const UNKNOWN = -1;

export const describeLogDirs: WireApi<DescribeLogDirsRequest, DescribeLogDirsResponse> = {
  key: 35,
  name: 'DescribeLogDirs',
  advertised: { min: 1, max: 4 },
  implemented: { min: 1, max: 4 },
  flexibleFrom: 2,

  decode(reader) {
    const request = {
      topics: reader.nullableStructs(() => ({
        topic: reader.string(),
        partitions: reader.array(() => reader.int32()),
      })),
    };
    reader.tags();
    return request;
  },

  serve({ topics }, call, answer) {
    const isAsked = ({ topic, partition }: ReplicaSize): boolean =>
      topics === null || topics.some((one) => one.topic === topic && one.partitions.includes(partition));
    call.broker.admin.replicaSizes((sizes) =>
      answer(() => {
        const asked = sizes.filter(isAsked);
        const names = [...new Set(asked.map(({ topic }) => topic))];
        const found = names.map((name) => ({
          name,
          partitions: asked.filter(({ topic }) => topic === name).map(sizeOf),
        }));
        const dir = { logDir: 'data', topics: found, totalBytes: UNKNOWN, usableBytes: UNKNOWN };
        return respond({ errorCode: errorCode('NONE'), results: [{ errorCode: errorCode('NONE'), ...dir }] });
      }),
    );
    return undefined;
  },

  encode(writer, response, version) {
    writer.int32(0);
    if (version >= 3) writer.int16(response.errorCode);
    writer.structs(response.results, (dir) => {
      writer
        .int16(dir.errorCode)
        .string(dir.logDir)
        .structs(dir.topics, (topic) => {
          writer.string(topic.name).structs(topic.partitions, (partition) => {
            writer.int32(partition.partitionIndex).int64(partition.partitionSize);
            writer.int64(partition.offsetLag).bool(partition.isFutureKey);
          });
        });
      if (version >= 4) writer.int64(dir.totalBytes).int64(dir.usableBytes);
    });
    writer.tags();
  },

  refuse(_request, code) {
    return { errorCode: code, results: [] };
  },
};

function sizeOf({ partition, sizeBytes }: ReplicaSize): LogSize {
  return { partitionIndex: partition, partitionSize: sizeBytes, offsetLag: 0, isFutureKey: false };
}
