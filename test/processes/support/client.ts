// Our client, connected to a cluster that the command line started, and what tests ask it again and again.
import type { ClusterState } from '../../../src/agent/home.ts';
import { connect, type ConnectOptions, type HighwaterClient } from '../../../src/client/index.ts';
import type { PartitionDescription, ReplicaDescription } from '../../../src/protocol/generated/index.ts';
import { until } from './until.ts';

const BATCHES_A_CALL = 1000;

/** Connects to the brokers of a recorded cluster, with its secret. */
export function connectTo(state: ClusterState, options: Partial<ConnectOptions> = {}): Promise<HighwaterClient> {
  const addresses = (role: string): string[] =>
    state.nodes.filter((node) => node.role === role).map(({ grpcPort }) => `${state.host}:${grpcPort}`);
  return connect({
    ...{ brokers: addresses('broker'), controller: addresses('controller')[0]!, secret: state.secret },
    ...{ profile: state.timers, ...options },
  });
}

/** Partition 0 of a topic, as the controller has it. */
export async function partitionOf(client: HighwaterClient, topic: string): Promise<PartitionDescription> {
  const { topics } = await client.admin().describeCluster();
  return topics.find(({ name }) => name === topic)!.partitions[0]!;
}

/** What a broker itself says of its replica of partition 0, without its records. */
export async function replicaOf(client: HighwaterClient, node: number, topic: string): Promise<ReplicaDescription> {
  const [replica] = await client.admin().describeReplicas(node, { topic, partition: 0 });
  return replica!;
}

/** The log of partition 0 on a broker, byte for byte. */
export async function logOf(client: HighwaterClient, node: number, topic: string): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let fromOffset = 0; fromOffset >= 0;) {
    const question = { topic, partition: 0, fromOffset, maxBatches: BATCHES_A_CALL };
    const [replica] = await client.admin().describeReplicas(node, question);
    parts.push(Buffer.from(replica!.records));
    fromOffset = replica!.nextOffset;
  }
  return Buffer.concat(parts);
}

/** Every replica of partition 0, once all are in the ISR with the same log end, and that is the high watermark. */
export function untilConverged(client: HighwaterClient, topic: string): Promise<readonly ReplicaDescription[]> {
  return until(`all replicas of ${topic}-0 are in the ISR, with equal ends and high watermarks`, async () => {
    try {
      const { leader, isr, replicas } = await partitionOf(client, topic);
      if (leader < 0 || isr.length < replicas.length) return undefined;
      const held = await Promise.all(replicas.map((node) => replicaOf(client, node, topic)));
      const end = held[0]!.logEndOffset;
      const agree = held.every((replica) => replica.logEndOffset === end && replica.highWatermark === end);
      return agree ? held : undefined;
    } catch {
      return undefined; // A node that is still starting answers nothing.
    }
  });
}
