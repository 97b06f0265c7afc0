// Where the logs of partitions end, as their leaders have it: last stable offset, high watermark, log end, and which open
// transaction holds the first of them back (txn T-182). Every partition for itself (txn T-183).
import { formatPartition, NO_LEADER, type TopicPartition } from '../base/units.ts';
import type { DescribedTransaction, OldestTransaction, ReplicaDescription } from '../protocol/generated/index.ts';
import type { Cluster } from './cluster.ts';
import { durationText } from './output.ts';
import { Problem } from './problem.ts';

/** How long a broker may take to tell of itself: one that is paused does not hold up the others for long. */
const ANSWER_MS = 3000;

/** The replicas that lead, by "topic-partition". */
export interface Leading {
  readonly replicas: ReadonlyMap<string, ReplicaDescription>;
  /** Brokers whose process runs and that did not answer: nothing is known of what they lead. */
  readonly silent: readonly number[];
}

/** Asks all brokers whose process runs. */
export async function leaderReplicas(cluster: Cluster): Promise<Leading> {
  const everything = { topic: '', partition: -1, fromOffset: -1, maxBatches: 0 };
  const brokers = cluster.runningBrokers().map(({ id }) => id);
  const answers = await Promise.all(
    brokers.map((id) => answered(cluster.broker(id, 'DescribeReplicas', everything, ANSWER_MS))),
  );
  const replicas = new Map<string, ReplicaDescription>();
  for (const replica of answers.flatMap((answer) => answer?.replicas ?? [])) {
    const name = formatPartition(replica.topic, replica.partition);
    const known = replicas.get(name);
    // One that was replaced and does not know yet answers too.
    if (replica.role === 'leader' && (known === undefined || known.leaderEpoch < replica.leaderEpoch)) {
      replicas.set(name, replica);
    }
  }
  return { replicas, silent: brokers.filter((_, index) => answers[index] === undefined) };
}

/** What the leader of one partition says; undefined: there is none, or it does not answer. */
export async function leaderReplica(
  cluster: Cluster,
  { topic, partition }: TopicPartition,
  leader: number,
): Promise<ReplicaDescription | undefined> {
  if (leader === NO_LEADER) return undefined;
  const question = { topic, partition, fromOffset: -1, maxBatches: 0 };
  return (await answered(cluster.broker(leader, 'DescribeReplicas', question, ANSWER_MS)))?.replicas[0];
}

/** Records between last stable offset and high watermark: what read_committed readers do not see yet. */
export function lsoLag({ highWatermark, lastStableOffset }: ReplicaDescription): number {
  return highWatermark - lastStableOffset;
}

/** What holds the last stable offset of a partition; undefined: nothing does. */
export interface LsoHolder {
  readonly producerId: number;
  readonly startOffset: number;
  readonly lastTimestampMs: number;
  readonly late: boolean;
  /** Absent: no coordinator that answers has the producer id in a transaction. */
  readonly transactionalId?: string;
  readonly openMs?: number;
}

/** The holders of these replicas, by their name: with the transactional ids, which coordinators know. */
export async function lsoHolders(
  cluster: Cluster,
  replicas: readonly ReplicaDescription[],
): Promise<ReadonlyMap<string, LsoHolder>> {
  const held = replicas.flatMap((replica) => {
    const oldest = replica.oldestTransaction;
    const holds = oldest !== null && lsoLag(replica) > 0 && oldest.startOffset <= replica.lastStableOffset;
    return holds ? [[formatPartition(replica.topic, replica.partition), oldest] as const] : [];
  });
  const owners = await ownersOf(cluster, [...new Set(held.map(([, oldest]) => oldest.producerId))]);
  return new Map(held.map(([name, oldest]) => [name, holderOf(oldest, owners.get(oldest.producerId))]));
}

function holderOf(oldest: OldestTransaction, owner: DescribedTransaction | undefined): LsoHolder {
  const { producerId, startOffset, lastTimestampMs, late } = oldest;
  if (owner === undefined) return { producerId, startOffset, lastTimestampMs, late };
  const { transactionalId, startTimeMs } = owner;
  const openMs = startTimeMs < 0 ? {} : { openMs: Math.max(0, Date.now() - startTimeMs) };
  return { producerId, startOffset, lastTimestampMs, late, transactionalId, ...openMs };
}

/** Transactions that are open with these producer ids, of all brokers that answer. */
async function ownersOf(
  cluster: Cluster,
  producerIds: readonly number[],
): Promise<ReadonlyMap<number, DescribedTransaction>> {
  const owners = new Map<number, DescribedTransaction>();
  if (producerIds.length === 0) return owners;
  const filter = { states: ['Ongoing', 'PrepareCommit', 'PrepareAbort'], minDurationMs: -1, idPattern: '' };
  await Promise.all(
    cluster.runningBrokers().map(async ({ id }) => {
      const question = { ...filter, producerIds: [...producerIds] };
      const listed = await answered(cluster.broker(id, 'ListTransactions', question, ANSWER_MS));
      const transactionalIds = (listed?.transactions ?? []).map((each) => each.transactionalId);
      if (transactionalIds.length === 0) return;
      const described = await answered(cluster.broker(id, 'DescribeTransactions', { transactionalIds }, ANSWER_MS));
      for (const one of described?.transactions ?? []) if (one.error === 'NONE') owners.set(one.producerId, one);
    }),
  );
  return owners;
}

/** "checkout-1 for 6.2s": who it is, how long it is open, and whether that is too long. */
export function holderName({ producerId, transactionalId, openMs, late }: LsoHolder): string {
  if (transactionalId === undefined) {
    const hint = late ? ' (late): highwater txn find-hanging' : '';
    return `producer ${producerId}, in no transaction that a coordinator knows${hint}`;
  }
  const time = openMs === undefined ? '' : ` for ${durationText(openMs)}`;
  return `${transactionalId}${time}${late ? ' (late)' : ''}`;
}

/** The answer; undefined if the node cannot be reached. */
async function answered<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}
