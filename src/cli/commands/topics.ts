// highwater topics create|list|describe|delete|elect-leader, in Kafka's words and column order; ours come behind Kafka's.
// `alter` and `delete-records` are topics-alter.ts's.
import type { Command } from 'commander';
import { formatPartition, NO_LEADER, parsePartition } from '../../base/units.ts';
import { ERRORS } from '../../protocol/errors.ts';
import type { TopicDescription } from '../../protocol/generated/index.ts';
import { withCluster, type Cluster } from '../cluster.ts';
import { collect, globals } from '../command.ts';
import { parseCount } from '../duration.ts';
import { document, printRows, say, table, write } from '../output.ts';
import { movesOf } from '../moves.ts';
import { holderName, leaderReplica, lsoHolders, lsoLag, type LsoHolder } from '../partition-ends.ts';
import { EXIT, Problem } from '../problem.ts';
import { watchable } from '../watch.ts';

/** Registers them, and gives the command that others belong to. */
export function registerTopicCommands(program: Command): Command {
  const topics = program.command('topics').description('create, list, describe, alter, delete topics; elect leaders');
  topics
    .command('create <name>')
    .description('create a topic')
    .option('--partitions <n>', 'number of partitions (default: num.partitions)')
    .option('--replication-factor <n>', 'replicas a partition (default: min(3, brokers))')
    .option(
      '--replica-assignment <list>',
      'manual placement, partitions separated by commas, replicas by colons: 1:2:3,2:3:1',
    )
    .option('--config <name=value>', 'topic setting; repeatable', collect, [])
    .action((name: string, options: CreateOptions, command: Command) => create(name, options, command));
  watchable(topics.command('list'))
    .description('names of all topics')
    .action((_options, command: Command) => list(command));
  watchable(topics.command('describe [name]'))
    .description('partitions, leaders, in-sync replicas, offsets')
    .action((name: string | undefined, _options, command: Command) => describe(name, command));
  topics
    .command('delete <name>')
    .description('delete a topic')
    .action((name: string, _options, command: Command) => remove(name, command));
  topics
    .command('elect-leader <topic-partition>')
    .description('elect a leader: the preferred one, any replica (unclean), or a given node (clean; ours)')
    .option('--to <node>', 'this node, if it is valid (in the ISR and alive); leader epoch +1')
    .option('--preferred', 'the first replica in the list')
    .option('--unclean', 'any live replica; committed records may be lost')
    .action((partition: string, options: ElectOptions, command: Command) => elect(partition, options, command));
  return topics;
}

interface CreateOptions {
  readonly partitions?: string;
  readonly replicationFactor?: string;
  readonly replicaAssignment?: string;
  readonly config: readonly string[];
}

/** Reads "a=b" settings. */
export function parseSettings(settings: readonly string[]): { name: string; value: string }[] {
  return settings.map((text) => {
    const at = text.indexOf('=');
    if (at <= 0) throw new Problem('HW2001', `"${text}" is no setting. Write name=value, e.g. min.insync.replicas=2`);
    return { name: text.slice(0, at).trim(), value: text.slice(at + 1).trim() };
  });
}

async function create(name: string, options: CreateOptions, command: Command): Promise<void> {
  const out = globals(command);
  const manual = options.replicaAssignment;
  if (manual !== undefined && (options.partitions ?? options.replicationFactor) !== undefined) {
    throw new Problem('HW2001', '--replica-assignment excludes --partitions and --replication-factor');
  }
  await withCluster(out.cluster, async (cluster) => {
    const brokers = cluster.state.nodes.filter((node) => node.role === 'broker').length;
    const topic = {
      ...{ name, configs: parseSettings(options.config) },
      numPartitions:
        manual !== undefined
          ? -1
          : options.partitions === undefined
            ? -1
            : parseCount('--partitions', options.partitions, 1, 10_000),
      replicationFactor:
        manual !== undefined
          ? -1
          : options.replicationFactor === undefined
            ? Math.min(3, brokers)
            : parseCount('--replication-factor', options.replicationFactor, 1, 32_767),
      assignments: manual === undefined ? [] : parseAssignment(manual),
    };
    const { topics } = await cluster.controller('CreateTopics', { topics: [topic], validateOnly: false });
    const created = topics[0]!;
    if (created.error !== 'NONE') {
      const taken = created.error === 'TOPIC_ALREADY_EXISTS';
      const why = created.errorMessage || `${name}: ${ERRORS[created.error].message}`;
      throw new Problem('HW2201', why, taken ? EXIT.conflict : EXIT.usage);
    }
    for (const warning of created.warnings) say(out, `warning[HW2204] ${warning}`);
    const row = {
      topic: name,
      topicId: created.topicId,
      partitions: created.numPartitions,
      replicationFactor: created.replicationFactor,
    };
    if (out.json) await write(document('topics.create', [row], { warnings: created.warnings }));
    else await write(`Created topic ${name}.\n`);
  });
}

function parseAssignment(text: string): { ids: number[] }[] {
  return text
    .split(',')
    .map((partition) => ({ ids: partition.split(':').map((id) => parseCount('--replica-assignment', id, 1)) }));
}

async function list(command: Command): Promise<void> {
  const out = globals(command);
  await withCluster(out.cluster, async (cluster) => {
    const { topics } = await cluster.controller('DescribeCluster', {});
    const rows = topics.map(({ name, topicId, partitions, isInternal }) => ({
      topic: name,
      topicId,
      partitions: partitions.length,
      internal: isInternal,
    }));
    await write(out.json ? document('topics.list', rows) : rows.map((row) => `${row.topic}\n`).join(''));
  });
}

/** One topic of the cluster, or a Problem that lists those there are. */
export async function topicNamed(cluster: Cluster, name: string): Promise<TopicDescription> {
  const { topics } = await cluster.controller('DescribeCluster', {});
  const topic = topics.find((each) => each.name === name);
  if (topic !== undefined) return topic;
  const known = topics.map((each) => each.name).join(', ') || 'none';
  throw new Problem(
    'HW2201',
    `topic "${name}" does not exist. Topics: ${known}. Create it: highwater topics create ${name}`,
  );
}

async function describe(name: string | undefined, command: Command): Promise<void> {
  const out = globals(command);
  await withCluster(out.cluster, async (cluster) => {
    const topics =
      name === undefined ? (await cluster.controller('DescribeCluster', {})).topics : [await topicNamed(cluster, name)];
    const described = await Promise.all(topics.map((topic) => describeRows(cluster, topic)));
    if (out.json) return write(document('topics.describe', described.flat(), describedTopics(topics, name)));
    for (const [index, topic] of topics.entries()) {
      const rows = described[index]!;
      const configs = topic.configs.map((config) => `${config.name}=${config.value}`).join(',');
      const factor = Math.max(0, ...topic.partitions.map((partition) => partition.replicas.length));
      await write(
        `Topic: ${topic.name}   TopicId: ${topic.topicId}   PartitionCount: ${rows.length}   ` +
          `ReplicationFactor: ${factor}   Configs: ${configs}\n`,
      );
      await write(indent(table(rows, [...DESCRIBE_COLUMNS, ...eligibleColumns(rows)])));
    }
  });
}

/** What a document says beside its rows: of the one topic asked for, or of each. */
function describedTopics(
  topics: readonly TopicDescription[],
  name: string | undefined,
): Readonly<Record<string, unknown>> {
  const about = topics.map((topic) => ({ topic: topic.name, topicId: topic.topicId, configs: topic.configs }));
  return name === undefined ? { topics: about } : { ...about[0] };
}

const indent = (text: string): string => text.replace(/^(?=.)/gm, '  ');

type DescribeRow = Awaited<ReturnType<typeof describeRows>>[number];
const DESCRIBE_COLUMNS = [
  { title: 'PARTITION', of: (row: DescribeRow) => row.partition },
  { title: 'LEADER', of: (row: DescribeRow) => (row.leader === NO_LEADER ? 'none' : row.leader) },
  { title: 'EPOCH', of: (row: DescribeRow) => row.leaderEpoch },
  { title: 'REPLICAS', of: (row: DescribeRow) => row.replicas },
  { title: 'ISR', of: (row: DescribeRow) => row.isr },
  { title: 'LSO', of: (row: DescribeRow) => row.lso },
  { title: 'HW', of: (row: DescribeRow) => row.hw },
  { title: 'LEO', of: (row: DescribeRow) => row.leo },
  { title: 'STATE', of: (row: DescribeRow) => row.state },
];

/** Who else may lead, and who led last: said where there is anybody (repl R-98). */
function eligibleColumns(rows: readonly DescribeRow[]) {
  const columns = [
    { title: 'ELR', of: (row: DescribeRow) => row.elr },
    { title: 'LAST-KNOWN', of: (row: DescribeRow) => row.lastKnownElr },
  ];
  return columns.filter(({ of }) => rows.some((row) => of(row).length > 0));
}

async function describeRows(cluster: Cluster, topic: TopicDescription) {
  const ends = await Promise.all(
    topic.partitions.map(({ partition, leader }) => leaderReplica(cluster, { topic: topic.name, partition }, leader)),
  );
  const holders = await lsoHolders(
    cluster,
    ends.filter((end) => end !== undefined),
  );
  return topic.partitions.map((described, index) => {
    const { partition, leader, leaderEpoch, replicas, isr, elr, lastKnownElr, partitionEpoch } = described;
    const { addingReplicas, removingReplicas } = described;
    const end = ends[index];
    const holder = holders.get(formatPartition(topic.name, partition));
    const held = holder === undefined ? {} : { lsoHeldBy: holder };
    return {
      ...{ topic: topic.name, partition, leader, leaderEpoch, replicas, isr, elr, lastKnownElr, partitionEpoch },
      ...{ addingReplicas, removingReplicas },
      state: stateOf(described, holder),
      ...{ lso: end?.lastStableOffset, hw: end?.highWatermark, leo: end?.logEndOffset },
      ...{ lsoLag: end === undefined ? undefined : lsoLag(end), ...held },
    };
  });
}

/** What is wrong with a partition, and what its read_committed readers wait for. */
function stateOf(described: TopicDescription['partitions'][number], holder: LsoHolder | undefined): string {
  const { leader, replicas, isr, leaderRecoveryState } = described;
  if (leader === NO_LEADER) return 'offline: no leader';
  const wrong = [
    ...(isr.length < replicas.length ? ['under-replicated'] : []),
    ...(leaderRecoveryState === 'RECOVERING' ? ['recovering'] : []),
    ...(movesOf(described) === '' ? [] : [movesOf(described)]),
    ...(holder === undefined ? [] : [`LSO held by ${holderName(holder)}`]),
  ];
  return wrong.length === 0 ? 'ok' : wrong.join('; ');
}

async function remove(name: string, command: Command): Promise<void> {
  const out = globals(command);
  await withCluster(out.cluster, async (cluster) => {
    await topicNamed(cluster, name);
    const deleted = (await cluster.controller('DeleteTopics', { names: [name], topicIds: [] })).topics[0]!;
    if (deleted.error !== 'NONE')
      throw new Problem('HW2201', deleted.errorMessage || ERRORS[deleted.error].message, EXIT.failed);
    await write(
      out.json ? document('topics.delete', [{ topic: name, topicId: deleted.topicId }]) : `Deleted topic ${name}.\n`,
    );
  });
}

interface ElectOptions {
  readonly to?: string;
  readonly preferred?: boolean;
  readonly unclean?: boolean;
}

async function elect(text: string, options: ElectOptions, command: Command): Promise<void> {
  const out = globals(command);
  const chosen = [options.to !== undefined, options.preferred === true, options.unclean === true].filter(Boolean);
  if (chosen.length !== 1)
    throw new Problem('HW2001', 'topics elect-leader needs exactly one of --to NODE, --preferred, --unclean');
  const target = parsePartition(text);
  if (target === undefined)
    throw new Problem('HW2001', `"${text}" is no partition. Write TOPIC-PARTITION, e.g. orders-0`);
  await withCluster(out.cluster, async (cluster) => {
    const topic = await topicNamed(cluster, target.topic);
    if (topic.partitions[target.partition] === undefined) {
      throw new Problem(
        'HW2201',
        `${target.topic} has partitions 0 to ${topic.partitions.length - 1}, not ${target.partition}`,
      );
    }
    const type = options.to !== undefined ? 'TO' : options.preferred === true ? 'PREFERRED' : 'UNCLEAN';
    const to = options.to === undefined ? -1 : await cluster.node(options.to);
    const { results } = await cluster.controller('ElectLeaders', { type, ...target, to });
    const result = results[0]!;
    if (result.error !== 'NONE') {
      throw new Problem(
        'HW2201',
        result.errorMessage || `${formatPartition(target.topic, target.partition)}: ${ERRORS[result.error].message}`,
        EXIT.failed,
      );
    }
    const row = {
      partition: target.partition,
      topic: target.topic,
      leader: result.leader,
      leaderEpoch: result.leaderEpoch,
    };
    await printRows(
      out,
      'topics.elect-leader',
      [row],
      [
        { title: 'TOPIC', of: (each) => each.topic },
        { title: 'PARTITION', of: (each) => each.partition },
        { title: 'LEADER', of: (each) => each.leader },
        { title: 'EPOCH', of: (each) => each.leaderEpoch },
      ],
    );
  });
}
