// Under which names faults know the APIs of Kafka's wire protocol: those of the gRPC calls that mean the same, so that a
// fault aimed at Produce hits clients of either kind; what only the wire has goes by Kafka's own name.
import { APIS } from './apis.ts';

/** Wire APIs whose gRPC call is named otherwise: a client's fetch is not a follower's. */
const RENAMED: Readonly<Record<string, string>> = {
  Fetch: 'ConsumerFetch',
  OffsetForLeaderEpoch: 'OffsetsForLeaderEpoch',
  WriteTxnMarkers: 'AbortTransaction',
};

/** Wire APIs that no gRPC call corresponds to. */
export const WIRE_ONLY_APIS: readonly string[] = [
  'ApiVersions',
  'CreatePartitions',
  'DeleteRecords',
  'DescribeConfigs',
  'AlterConfigs',
  'IncrementalAlterConfigs',
  'DescribeLogDirs',
].filter((name) => !Object.hasOwn(APIS, name));

/** The name in `rpc.<Api>.request` of a wire API. */
export function pointApi(wireApi: string): string {
  return RENAMED[wireApi] ?? wireApi;
}
