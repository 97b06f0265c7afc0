// What `status` says of topics and partitions, out of what the controller describes. Asks nobody; prints nothing.
import type { DescribeClusterResponse } from '../protocol/generated/index.ts';

/** What the controller knows. Of a controller that does not answer: absent, for it is not known. */
export interface ClusterFacts {
  /** Empty: not known. */
  readonly clusterId: string;
  /** -1: not known. */
  readonly controllerEpoch: number;
  readonly topics?: number;
  readonly partitions?: number;
  /** Partitions without a leader. */
  readonly offline?: readonly string[];
  /** Partitions with a leader and with replicas that are out of sync. */
  readonly underReplicated?: readonly string[];
  readonly features: DescribeClusterResponse['features'];
}

/** The facts of a description; undefined: the controller did not answer. */
export function clusterFacts(described: DescribeClusterResponse | undefined): ClusterFacts {
  if (described === undefined) return { clusterId: '', controllerEpoch: -1, features: [] };
  const { clusterId, controllerEpoch, topics, features } = described;
  const partitions = topics.flatMap((topic) =>
    topic.partitions.map((each) => ({ ...each, name: `${topic.name}-${each.partition}` })),
  );
  const thin = partitions.filter(({ leader, isr, replicas }) => leader >= 0 && isr.length < replicas.length);
  return {
    ...{ clusterId, controllerEpoch, topics: topics.length, partitions: partitions.length },
    offline: partitions.filter(({ leader }) => leader < 0).map(({ name }) => name),
    underReplicated: thin.map(({ name }) => name),
    features,
  };
}
