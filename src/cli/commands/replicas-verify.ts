// highwater replicas verify T-P | --all: whether the replicas of a partition hold the same up to the smallest high watermark,
// checksum by checksum, and what each holds beyond it. Asks each broker itself.
import type { Command } from 'commander';
import { formatPartition, type NodeId, type TopicPartition } from '../../base/units.ts';
import type { TopicDescription } from '../../protocol/generated/index.ts';
import { withCluster, type Cluster } from '../cluster.ts';
import { globals, type GlobalOptions } from '../command.ts';
import { count, document, say, table, write } from '../output.ts';
import { partitionArgument } from '../partition-argument.ts';
import { EXIT, Problem } from '../problem.ts';
import { comparePartition, type PartitionComparison, type ReplicaSource } from '../verify/verify-partition.ts';
import { topicNamed } from './topics.ts';

export function registerReplicaVerifyCommand(replicas: Command): void {
  replicas
    .command('verify [topic-partition]')
    .description('compare what the replicas hold, checksum by checksum: 0 the same, 1 not, 3 one cannot be asked')
    .option('--all', 'every partition of every topic, internal ones too')
    .addHelpText('after', HELP)
    .action((text: string | undefined, options: { all?: boolean }, command: Command) =>
      verify(text, options.all === true, globals(command)),
    );
}

const HELP = `
Up to the smallest high watermark all replicas must hold the same batches: offsets, leader epochs, checksums, and the bytes
that those are of. Beyond it they may differ until a follower has cut its log to what its leader has; what each holds there
is listed. Compacted topics are cleaned by each replica alone: there the records that both still have must be the same.`;

/** Batches that one answer of a broker may bring. */
const BATCHES_A_CALL = 2000;

interface Verified extends PartitionComparison {
  readonly [key: string]: unknown;
  readonly partition: string;
  /** Why the comparison was not finished. */
  readonly unfinished?: string;
}

async function verify(text: string | undefined, all: boolean, out: GlobalOptions): Promise<void> {
  if (all && text !== undefined) throw new Problem('HW2001', 'replicas verify: name a partition or --all, not both');
  if (!all && text === undefined) {
    throw new Problem('HW2001', 'replicas verify needs a partition: TOPIC-PARTITION, e.g. orders-0, or --all');
  }
  const target = all ? undefined : partitionArgument('replicas verify', text, {});
  await withCluster(out.cluster, async (cluster) => {
    const topics =
      target === undefined
        ? (await cluster.controller('DescribeCluster', {})).topics
        : [await topicNamed(cluster, target.topic)];
    const found: Verified[] = [];
    for (const topic of topics) found.push(...(await verifyTopic(cluster, topic, target)));
    await print(out, found);
    process.exitCode = exitCodeOf(found);
  });
}

function exitCodeOf(found: readonly Verified[]): number {
  if (found.some(({ divergence }) => divergence !== undefined)) return EXIT.failed;
  return found.some(isUnclear) ? EXIT.inconclusive : EXIT.ok;
}

const isUnclear = ({ silent, unfinished }: Verified): boolean => silent.length > 0 || unfinished !== undefined;

async function verifyTopic(
  cluster: Cluster,
  topic: TopicDescription,
  target: TopicPartition | undefined,
): Promise<Verified[]> {
  const partitions = topic.partitions.filter((each) => target === undefined || each.partition === target.partition);
  if (partitions.length === 0 && target !== undefined) {
    const last = topic.partitions.length - 1;
    throw new Problem('HW2201', `${topic.name} has partitions 0 to ${last}, not ${target.partition}`);
  }
  const compacted = topic.configs.some(({ name, value }) => name === 'cleanup.policy' && value.includes('compact'));
  const found: Verified[] = [];
  for (const { partition, replicas } of partitions) {
    const of = { topic: topic.name, partition };
    const name = formatPartition(topic.name, partition);
    const sources = replicas.map((node) => replicaSource(cluster, node, of));
    try {
      found.push({ partition: name, ...(await comparePartition(sources, { compacted })) });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      found.push({ partition: name, ...NOTHING, replicas, unfinished: error.message });
    }
  }
  return found;
}

const NOTHING: PartitionComparison = { replicas: [], silent: [], from: 0, upTo: 0, batches: 0, tail: [] };

/** A replica as its broker tells of it. */
function replicaSource(cluster: Cluster, node: NodeId, of: TopicPartition): ReplicaSource {
  const ask = async (fromOffset: number, maxBatches: number) =>
    (await cluster.broker(node, 'DescribeReplicas', { ...of, fromOffset, maxBatches })).replicas[0];
  return {
    node,
    ends: async () => {
      try {
        return await ask(-1, 0);
      } catch (error) {
        if (error instanceof Problem) return undefined;
        throw error;
      }
    },
    read: async function* (from) {
      for (let next = from; next >= 0;) {
        const replica = await ask(next, BATCHES_A_CALL);
        if (replica === undefined) return;
        if (replica.records.length > 0) yield Buffer.from(replica.records);
        next = replica.nextOffset;
      }
    },
  };
}

const COLUMNS = [
  { title: 'PARTITION', of: (row: Verified) => row.partition },
  { title: 'REPLICAS', of: (row: Verified) => row.replicas },
  { title: 'FROM', of: (row: Verified) => row.from },
  { title: 'UP-TO', of: (row: Verified) => row.upTo },
  { title: 'BATCHES', of: (row: Verified) => row.batches },
  { title: 'RESULT', of: resultOf },
];

function resultOf(row: Verified): string {
  const { divergence, silent, tail, unfinished } = row;
  if (unfinished !== undefined) return `not compared: ${unfinished}`;
  const unasked = silent.map((node) => `broker ${node} cannot be asked`);
  if (divergence !== undefined) {
    const where = `${count(divergence.count, 'batch').replace('batchs', 'batches')}, first at ${divergence.firstOffset}`;
    return [`DIFFERS in ${where}`, ...unasked].join('; ');
  }
  const beyond = tail.some(({ likeness }) => likeness === 'differs')
    ? ['tails differ']
    : tail.length > 0
      ? ['not all have the tail yet']
      : [];
  return ['same', ...beyond, ...unasked].join('; ');
}

async function print(out: GlobalOptions, found: readonly Verified[]): Promise<void> {
  if (out.json) return write(document('replicas.verify', found));
  await write(table(found, COLUMNS));
  for (const row of found) {
    if (row.divergence !== undefined) {
      await write(`\n${row.partition} differs below the high watermark ${row.upTo}\n${heldTable([row.divergence])}`);
    }
    if (row.tail.length > 0) await write(`\n${row.partition} beyond ${row.upTo}\n${heldTable(row.tail)}`);
    if (row.tailCutAt !== undefined)
      say(out, `${row.partition}: the tail is compared no further than ${row.tailCutAt}`);
  }
}

/** What each replica holds: its leader epoch and checksum, or that it has nothing there. */
function heldTable(stretches: PartitionComparison['tail']): string {
  const nodes = stretches[0]!.on.map(({ node }) => node);
  return table(stretches.map(heldRow), [
    { title: 'OFFSETS', of: (row) => row.offsets },
    ...nodes.map((node, at) => ({ title: `BROKER ${node}`, of: (row: HeldRow) => row.held[at] })),
    { title: 'STATE', of: (row) => row.state },
  ]);
}

type HeldRow = ReturnType<typeof heldRow>;

function heldRow({ firstOffset, lastOffset, likeness, on }: PartitionComparison['tail'][number]) {
  const held = on.map(({ epochs, checksums, damaged }) => {
    if (epochs.length === 0) return undefined;
    const checksum = checksums.length === 1 ? ` crc ${checksums[0]}` : '';
    return `epoch ${epochs.join('+')}${checksum}${damaged ? ' (damaged)' : ''}`;
  });
  const offsets = firstOffset === lastOffset ? `${firstOffset}` : `${firstOffset}-${lastOffset}`;
  const state = { same: 'same', behind: 'not everywhere yet', differs: 'differs' }[likeness];
  return { offsets, held, state };
}
