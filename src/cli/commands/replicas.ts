// highwater replicas show|watch|verify T-P: what every replica of a partition holds, asked from each broker itself.
import type { Command } from 'commander';
import { parsePartition } from '../../base/units.ts';
import type { OldestTransaction, ReplicaDescription } from '../../protocol/generated/index.ts';
import { withCluster, type Cluster } from '../cluster.ts';
import { globals } from '../command.ts';
import { document, table, write } from '../output.ts';
import { Problem } from '../problem.ts';
import { watch, watchable, watchPace, WATCH_EVERY } from '../watch.ts';
import { registerReplicaVerifyCommand } from './replicas-verify.ts';
import { topicNamed } from './topics.ts';

export function registerReplicaCommands(program: Command): void {
  const replicas = program.command('replicas').description('log ends and high watermarks, replica by replica');
  watchable(replicas.command('show <topic-partition>'))
    .description('once')
    .action((text: string, _options, command: Command) => show(text, command));
  replicas
    .command('watch <topic-partition>')
    .description('show --watch: again and again, until Ctrl-C')
    .option('--every <duration>', 'how often', WATCH_EVERY)
    .option('--times <n>', 'stop after this many')
    .action((text: string, options: { every: string; times?: string }, command: Command) =>
      watchReplicas(text, options, command),
    );
  registerReplicaVerifyCommand(replicas);
}

interface ReplicaRow {
  readonly [key: string]: unknown;
  readonly node: number;
  readonly role: string;
  readonly inIsr: boolean;
  /** Outside the ISR, and may lead when it is empty (repl R-98). */
  readonly eligible?: true;
  readonly logStart?: number;
  readonly lso?: number;
  readonly hw?: number;
  readonly leo?: number;
  readonly leaderEpoch?: number;
  readonly lag?: number;
  /** High watermark less last stable offset, of this replica (txn T-182). */
  readonly lsoLag?: number;
  readonly oldestTransaction?: OldestTransaction;
}

async function rowsOf(cluster: Cluster, text: string): Promise<ReplicaRow[]> {
  const target = parsePartition(text);
  if (target === undefined)
    throw new Problem('HW2001', `"${text}" is no partition. Write TOPIC-PARTITION, e.g. orders-0`);
  const topic = await topicNamed(cluster, target.topic);
  const partition = topic.partitions[target.partition];
  if (partition === undefined) {
    throw new Problem(
      'HW2201',
      `${target.topic} has partitions 0 to ${topic.partitions.length - 1}, not ${target.partition}`,
    );
  }
  const asked = await Promise.all(partition.replicas.map((node) => ask(cluster, node, target.topic, target.partition)));
  const leaderEnd = asked[partition.replicas.indexOf(partition.leader)]?.logEndOffset;
  return partition.replicas.map((node, index) => {
    const replica = asked[index];
    const inIsr = partition.isr.includes(node);
    const seat = { inIsr, ...(partition.elr.includes(node) ? { eligible: true as const } : {}) };
    if (replica === undefined) return { node, role: 'unreachable', ...seat };
    const {
      role,
      logStartOffset: logStart,
      lastStableOffset: lso,
      highWatermark: hw,
      logEndOffset: leo,
      leaderEpoch,
    } = replica;
    const lag = leaderEnd === undefined || role === 'leader' ? undefined : leaderEnd - leo;
    const oldest = replica.oldestTransaction === null ? {} : { oldestTransaction: replica.oldestTransaction };
    const ends = { logStart, lso, hw, leo, leaderEpoch, lsoLag: hw - lso };
    return { node, role, ...seat, ...ends, ...(lag === undefined ? {} : { lag }), ...oldest };
  });
}

async function ask(
  cluster: Cluster,
  node: number,
  topic: string,
  partition: number,
): Promise<ReplicaDescription | undefined> {
  try {
    return (await cluster.broker(node, 'DescribeReplicas', { topic, partition, fromOffset: -1, maxBatches: 0 }))
      .replicas[0];
  } catch (error) {
    if (error instanceof Problem) return undefined;
    throw error;
  }
}

const COLUMNS = [
  { title: 'REPLICA', of: (row: ReplicaRow) => row.node },
  { title: 'ROLE', of: (row: ReplicaRow) => row.role },
  { title: 'IN ISR', of: (row: ReplicaRow) => (row.inIsr ? 'yes' : row.eligible ? 'eligible' : 'no') },
  { title: 'EPOCH', of: (row: ReplicaRow) => row.leaderEpoch },
  { title: 'START', of: (row: ReplicaRow) => row.logStart },
  { title: 'LSO', of: (row: ReplicaRow) => row.lso },
  { title: 'HW', of: (row: ReplicaRow) => row.hw },
  { title: 'LEO', of: (row: ReplicaRow) => row.leo },
  { title: 'LAG', of: (row: ReplicaRow) => row.lag },
  { title: 'LSO-LAG', of: (row: ReplicaRow) => row.lsoLag },
  { title: 'OLDEST-TXN', of: ({ oldestTransaction: oldest }: ReplicaRow) => oldest && oldestText(oldest) },
];

function oldestText({ producerId, startOffset, late }: OldestTransaction): string {
  return `producer ${producerId} at ${startOffset}${late ? ' (late)' : ''}`;
}

async function show(text: string, command: Command, schema = 'replicas.show'): Promise<void> {
  const out = globals(command);
  await withCluster(out.cluster, async (cluster) => {
    const rows = await rowsOf(cluster, text);
    await write(out.json ? document(schema, rows) : table(rows, COLUMNS));
  });
}

function watchReplicas(text: string, options: { every: string; times?: string }, command: Command): Promise<void> {
  const pace = watchPace(options.every, options.times);
  return watch(globals(command), pace, () => show(text, command, 'replicas.watch'));
}
