// What the replicas of a storm's topic hold when all is over: looked at until they agree on their ends, and written into the
// history, whole, with what is missing.
import { setTimeout as delay } from 'node:timers/promises';
import type { NodeId, TopicPartition } from '../../base/units.ts';
import { disagreeing } from '../../chaos/agreement.ts';
import { foundReplica } from '../../chaos/found-records.ts';
import type { FoundReplica } from '../../chaos/observe.ts';
import type { NewEntry } from '../../history/operations.ts';
import type { PartitionDescription } from '../../protocol/generated/index.ts';
import type { Cluster } from '../cluster.ts';
import { Problem } from '../problem.ts';

const LOOK_MS = 100;
/** Batches that one answer of a broker may bring. */
const BATCHES_A_CALL = 2000;

/** A replica's ends alone, or all that it holds. */
type Depth = 'ends' | 'whole';

/** Looks until the replicas agree, or for so long. Answers the partitions of which they do not. */
export async function observeQuiet(
  cluster: Cluster,
  of: { readonly topic: string; readonly record: (entry: NewEntry) => void },
  ended: { readonly withinMs: number; readonly awaited: readonly string[]; readonly drained: readonly string[] },
): Promise<readonly string[]> {
  const end = performance.now() + ended.withinMs;
  while (performance.now() < end && (await look(cluster, of.topic, 'ends')).missing.length > 0) await delay(LOOK_MS);
  const { found, missing } = await look(cluster, of.topic, 'whole');
  const common = { process: 'observer' } as const;
  for (const { lastStableOffset: _, ...replica } of found) {
    of.record({ f: 'replica', type: 'info', ...common, ...replica });
  }
  const { awaited, drained } = ended;
  of.record({ f: 'quiesce', type: missing.length === 0 ? 'ok' : 'info', ...common, missing, awaited, drained });
  return missing;
}

async function look(
  cluster: Cluster,
  topic: string,
  depth: Depth,
): Promise<{ readonly found: readonly FoundReplica[]; readonly missing: readonly string[] }> {
  const partitions = await placed(cluster, topic);
  const replicas = partitions.flatMap(({ partition, replicas }) =>
    replicas.map((node) => replicaOn(cluster, node, { of: { topic, partition }, depth })),
  );
  const found = (await Promise.all(replicas)).filter((each) => each !== undefined);
  const plan = { name: topic, assignments: partitions.map(({ replicas }) => replicas) };
  // Of a topic that nobody tells of, everything is missing.
  const missing = partitions.length === 0 ? [topic] : disagreeing([plan], found, () => undefined);
  return { found, missing };
}

async function placed(cluster: Cluster, topic: string): Promise<readonly PartitionDescription[]> {
  const described = await unlessSilent(cluster.controller('DescribeCluster', {}));
  return described?.topics.find(({ name }) => name === topic)?.partitions ?? [];
}

/** Undefined if the broker does not answer, or has none. */
async function replicaOn(
  cluster: Cluster,
  node: NodeId,
  { of, depth }: { readonly of: TopicPartition; readonly depth: Depth },
): Promise<FoundReplica | undefined> {
  const parts: Buffer[] = [];
  for (let fromOffset = depth === 'ends' ? -1 : 0; ;) {
    const question = { ...of, fromOffset, maxBatches: depth === 'ends' ? 0 : BATCHES_A_CALL };
    const replica = (await unlessSilent(cluster.broker(node, 'DescribeReplicas', question)))?.replicas[0];
    if (replica === undefined) return undefined;
    parts.push(Buffer.from(replica.records));
    if (replica.nextOffset < 0 || depth === 'ends') return foundReplica(node, replica, Buffer.concat(parts));
    fromOffset = replica.nextOffset;
  }
}

async function unlessSilent<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
